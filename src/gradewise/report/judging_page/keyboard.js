// Keys and buttons, and the start of the page.

const KEYS = {
  ArrowRight: () => step(1),
  j: () => step(1),
  ArrowLeft: () => step(-1),
  k: () => step(-1),
  n: goOn,
  u: () => setGrade(state.place, null),
  e: exportFile,
  "?": toggleHelp,
};

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
  const grade = /^\d$/.test(event.key) ? Number(event.key) : null;
  const action = grade !== null && GRADES.includes(grade) ? () => judge(grade) : KEYS[event.key];
  if (!action) return;
  event.preventDefault(); // arrows would also move between the grades, and so give one
  action();
}

document.getElementById("grades").append(...list.grades.map(gradeChoice));
for (const [id, action] of Object.entries({
  export: exportFile,
  "help-button": toggleHelp,
  previous: () => step(-1),
  next: () => step(1),
  unjudged: goOn,
  clear: () => setGrade(state.place, null),
})) {
  document.getElementById(id).addEventListener("click", action);
}
document.getElementById("load").addEventListener("change", (event) => importFile(event.target));
document.addEventListener("keydown", pressed);
restore();
followers.push(show);
show();
