// What has been judged, and where the reader is: kept in memory and in the browser's storage.

const list = JSON.parse(document.getElementById("data").textContent);
const KEY = `gradewise-judging:${list.digest}`; // all pages opened from disk share one storage
const GRADES = list.grades.map((entry) => entry.grade);
const state = { grades: new Map(), place: 0, stored: true };
const followers = [];

function itemAt(place) {
  return list.items[place];
}

/** Take what is stored; what does not belong to this list is passed over. */
function recall(text) {
  let found;
  try {
    found = JSON.parse(text ?? "null");
  } catch {
    found = null;
  }
  state.grades = new Map();
  for (const [place, grade] of Object.entries(found?.grades ?? {})) {
    if (list.items[place] && GRADES.includes(grade)) state.grades.set(Number(place), grade);
  }
  return Number.isInteger(found?.place) && list.items[found.place] ? found.place : null;
}

function store() {
  try {
    const grades = Object.fromEntries([...state.grades].sort(([a], [b]) => a - b));
    localStorage.setItem(KEY, JSON.stringify({ grades, place: state.place }));
    state.stored = true;
  } catch {
    state.stored = false;
  }
}

function changed() {
  store();
  for (const follower of followers) follower();
}

function setGrade(place, grade) {
  if (grade === null) state.grades.delete(place);
  else state.grades.set(place, grade);
  changed();
}

function goTo(place) {
  state.place = Math.min(Math.max(place, 0), list.items.length - 1);
  changed();
}

/** The next document without a grade, from a place on and around; null if all have one. */
function nextUnjudged(from) {
  for (let step = 0; step < list.items.length; step += 1) {
    const place = (from + step) % list.items.length;
    if (!state.grades.has(place)) return place;
  }
  return null;
}

function restore() {
  try {
    const place = recall(localStorage.getItem(KEY));
    state.place = place ?? nextUnjudged(0) ?? 0;
  } catch {
    state.stored = false;
  }
  // The same list in another window: take over what was judged there.
  window.addEventListener("storage", (event) => {
    if (event.key === KEY && event.newValue !== null) {
      recall(event.newValue);
      for (const follower of followers) follower();
    }
  });
  window.addEventListener("beforeunload", (event) => {
    if (!state.stored && state.grades.size) event.preventDefault();
  });
}
