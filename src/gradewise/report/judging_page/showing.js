// What is seen: the document at the place, the grades, and how far the work has come.

function shownText(text, missing) {
  if (!text) return make("span", { class: "missing" }, missing);
  return [text.title ? make("div", { class: "title" }, text.title) : null, text.text];
}

function show() {
  const item = itemAt(state.place);
  const [judged, total] = [state.grades.size, list.items.length];
  document.getElementById("topic-title").replaceChildren("Topic ", nameOf(item.topic));
  document.getElementById("document-title").replaceChildren("Document ", nameOf(item.document));
  const texts = [["topic-text", list.topics[item.topic], "The topics file has no text for this topic."], ["document-text", item.text, "The documents file has no text for this document."]];
  for (const [id, text, missing] of texts) {
    document.getElementById(id).replaceChildren(...[shownText(text, missing)].flat().filter((part) => part !== null));
  }
  document.getElementById("position").textContent = `${state.place + 1} of ${total}`;
  document.getElementById("progress").textContent = `${judged} of ${total} judged${judged === total ? "; all done, now export them" : ""}`;
  document.getElementById("bar").style.width = `${(100 * judged) / total}%`;
  const grade = state.grades.get(state.place);
  for (const input of document.querySelectorAll("#grades input")) input.checked = Number(input.value) === grade;
  document.getElementById("clear").disabled = grade === undefined;
  document.getElementById("previous").disabled = state.place === 0;
  document.getElementById("next").disabled = state.place === total - 1;
  if (!state.stored) warn("This browser does not store judgments. Export them before you close the page.");
}

/** Give a grade; then go on to the next document without one, if there is any. */
function judge(grade) {
  const here = state.place;
  setGrade(here, grade);
  const place = nextUnjudged(here);
  if (place !== null) {
    goTo(place);
    window.scrollTo({ top: 0 });
  }
  const name = list.grades.find((entry) => entry.grade === grade).name;
  const where = place === null ? "all documents are judged" : `document ${state.place + 1} of ${list.items.length}`;
  announce(`${grade}, ${name}; ${where}`);
}

function step(by) {
  goTo(state.place + by);
  window.scrollTo({ top: 0 });
  announce(`document ${state.place + 1} of ${list.items.length}`);
}

function goOn() {
  const place = nextUnjudged((state.place + 1) % list.items.length);
  if (place === null) announce("all documents are judged");
  else step(place - state.place);
}

function gradeChoice(entry) {
  const key = entry.grade >= 0 && entry.grade <= 9 ? make("kbd", {}, String(entry.grade)) : null;
  const input = make("input", { type: "radio", name: "grade", value: entry.grade, onclick: () => judge(entry.grade) });
  const meaning = entry.meaning ? make("span", { class: "meaning" }, entry.meaning) : null;
  return make("label", { class: "grade" }, input, key ?? make("span", {}, String(entry.grade)), make("span", { class: "name" }, entry.name), meaning);
}

function toggleHelp() {
  const help = document.getElementById("help");
  help.hidden = !help.hidden;
  document.getElementById("help-button").setAttribute("aria-expanded", String(!help.hidden));
}
