// What the page holds of each set of topics, and the choice between them.

const drill = { read: null }; // what the page holds of lists, once it was asked for
const KINDS = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array };

function unpack(packed) {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return new KINDS[packed.kind](bytes.buffer); // the bytes are little-endian, as machines are
}

/** Unpack the arrays of a view, once. */
function readView(data) {
  if (data.read) return data;
  for (const name of ["values", "means", "low", "high", "quantiles"]) data[name] = unpack(data[name]);
  for (const name of ["counts", "counted"]) data[name] = data[name] && unpack(data[name]);
  data.differs = data.differs.map(unpack);
  if (data.explorer) {
    data.explorer.triangles = unpack(data.explorer.triangles);
    for (const name of Object.keys(data.explorer.references)) {
      data.explorer.references[name] = unpack(data.explorer.references[name]);
    }
  }
  if (data.coverage) for (const name of ["unjudged", "curve"]) data.coverage[name] = unpack(data.coverage[name]);
  data.read = true;
  return data;
}

/** Empty the page, and show a view as the address has it. */
function chooseView(place) {
  address.forget();
  address.follow(chooseAddressed);
  for (const body of document.querySelectorAll("section .body, #facts")) body.replaceChildren();
  const before = document.getElementById("measure");
  const measure = before.cloneNode(false); // without listeners
  before.replaceWith(measure);
  shownView = place;
  views[place].drill ??= held.drill;
  show(readView(views[place]));
}

let shownView = -1;

/** The set of topics that the address names, or the first. */
function addressedView() {
  return Math.max(0, views.findIndex((view) => view.name === address.get("set")));
}

/** Show the set of topics that the address names, unless it is shown. */
function chooseAddressed() {
  const place = addressedView();
  if (place === shownView) return;
  document.getElementById("subset").value = String(place);
  chooseView(place);
}

for (const link of document.querySelectorAll("nav a")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    address.go({ section: link.getAttribute("href").slice(1) }); // and keep what is shown
  });
}

const held = JSON.parse(document.getElementById("data").textContent);
const views = held.views ?? [held];

if (held.views) {
  const subset = document.getElementById("subset");
  for (const [place, view] of views.entries()) {
    const option = document.createElement("option");
    option.value = place;
    option.textContent = `${view.name} (${view.topics.length})`;
    subset.append(option);
  }
  subset.addEventListener("change", () => {
    const place = Number(subset.value);
    address.set({ set: place ? views[place].name : null });
    chooseView(place);
  });
  subset.parentElement.hidden = false;
}
// A section that is gone to stands below the bar of links, however high that is.
new ResizeObserver(([bar]) => {
  document.documentElement.style.scrollPaddingTop = `${Math.round(bar.borderBoxSize[0].blockSize) + 12}px`;
}).observe(document.querySelector("nav"));

document.getElementById("subset").value = String(addressedView()); // not what a browser remembers
chooseView(addressedView());
if (address.get("section")) address.goTo(address.get("section"));
