// Elements of the page. Text is always set as text: names are never taken for markup.

/** Make an element: attributes, `on...` listeners, and children that are elements or text. */
function make(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

function makeSvg(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return node;
}

function bodyOf(section) {
  return document.querySelector(`#${section} .body`);
}

const UNBROKEN = 24; // letters of a name that stays on one line

/** A name from the data, kept apart from the direction of the text around it; it breaks at signs. */
function nameOf(text) {
  const parts = String(text).split(/(?<=[-_./:@+])(?=[^-_./:@+])/);
  return make("bdi", { class: text.length <= UNBROKEN ? "name whole" : "name" }, parts.flatMap((part, place) => (place ? [make("wbr"), part] : [part])));
}

/** A note that a part of the page is about a sample of the topics; nothing if it is about all. */
function sampleNote(subject, more = "") {
  if (report.topics.length === report.topic_count) return document.createDocumentFragment();
  const [shown, all] = [report.topics.length, report.topic_count].map((number) => number.toLocaleString("en"));
  return make("p", { class: "note sample" }, `${subject} based on a random sample of ${shown} of the ${all} topics.${more}`);
}

function button(text, onclick, attributes = {}) {
  return make("button", { type: "button", onclick, ...attributes }, text);
}

/** A labeled choice among texts; `onchange` gets the place of the one chosen. */
function chooser(id, label, texts, chosen, onchange) {
  const options = texts.map((text, place) => make("option", { value: place, selected: place === chosen }, text));
  const select = make("select", { id, onchange: () => onchange(Number(select.value)) }, options);
  return { element: make("div", { class: "field" }, make("label", { for: id }, label), select), select };
}

let announcing;

/** Tell a screen reader, after a pause, so that a slider in motion does not chatter. */
function announce(text) {
  clearTimeout(announcing);
  announcing = setTimeout(() => {
    document.getElementById("announcement").textContent = text;
  }, 300);
}

async function copyText(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
  announce(`${what} copied`);
}

function copyBySelection(text) {
  const area = make("textarea", { class: "unseen" });
  area.value = text;
  document.body.append(area);
  const before = document.activeElement;
  area.select();
  document.execCommand("copy");
  area.remove();
  before?.focus();
}
