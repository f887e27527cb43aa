// The threshold explorer: move the relevance thresholds, and all runs are rescored.

function startExplorer() {
  if (GRADES < 2) {
    bodyOf("explorer").append(make("p", { class: "note" }, "All relevant documents have the same grade, so there is only one relevance threshold, and GAP, xGAP and eGAP all equal average precision."));
    return;
  }
  const state = { g: equalShares(), measure: "GAP", all: false };
  const sliders = report.grades.map((grade, index) => makeSlider(grade, index, (value) => move(moveOnSimplex(state.g, index, value))));
  const board = makeBoard(state, () => refresh());
  const map = makeMap((g) => move(roundToSum(g.map((share) => share * PARTS), PARTS).map((part) => part / PARTS)));
  const agreement = make("tbody");
  const exact = make("code", { id: "explored" });
  const sentence = make("p", { class: "finding", id: "explorer-sentence" });

  function move(g) {
    state.g = g;
    refresh();
    announce(`${sentence.textContent}`);
  }

  function refresh() {
    const means = gradedMeans(state.g);
    sliders.forEach((slider, index) => slider.show(state.g[index]));
    board.show(means);
    map.update(state.measure, state.g);
    exact.textContent = `${state.measure}(${thresholdText(state.g)})`;
    agreement.replaceChildren(...agreementRows(means));
    sentence.textContent = explorerSentence(state, means);
  }

  const choose = (name) => make("label", {}, make("input", { type: "radio", name: "graded", value: name, checked: name === state.measure, onchange: () => { state.measure = name; refresh(); } }), ` ${name}`);
  bodyOf("explorer").append(
    make("p", {}, "Users differ in the lowest grade that they accept as relevant. Set the share of users for each threshold, and all runs are rescored for these users, in this page."),
    make(
      "div",
      { class: "explorer" },
      make(
        "div",
        {},
        make("fieldset", {}, make("legend", {}, "Share of users whose threshold is"), sliders.map((slider) => slider.element), presets(move)),
        make("fieldset", { class: "radios" }, make("legend", {}, "Sort by"), GRADED.map(choose)),
        make("p", { class: "exact" }, "Name of this measure: ", exact, button("Copy", () => copyText(exact.textContent, "Name"), { class: "quiet", "aria-label": "Copy the name of the measure" })),
        make("table", { id: "tau" }, make("caption", {}, "Agreement with AP and nDCG over runs (Kendall's τ)"), make("thead", {}, make("tr", {}, ["", ...Object.keys(report.explorer.references)].map((name) => make("th", { scope: "col" }, name)))), agreement),
        map.element,
      ),
      make("div", {}, sentence, board.element),
    ),
  );
  refresh();
}

function makeSlider(grade, index, onmove) {
  const id = `g${index + 1}`;
  const range = make("input", { type: "range", id, min: 0, max: 1, step: 0.01, oninput: () => onmove(Number(range.value)) });
  const number = make("input", { type: "number", id: `${id}-number`, min: 0, max: 1, step: 0.01, "aria-label": `Share for grade ${grade}, as a number`, onchange: () => onmove(Number(number.value)) });
  const word = index === 0 ? "accept any relevant document" : index === GRADES - 1 ? "accept only the highest grade" : `accept grade ${grade} and above`;
  return {
    element: make("div", { class: "slider" }, make("label", { for: id }, `grade ${grade}`, make("span", { class: "hint" }, ` ${word}`)), make("div", { class: "row" }, range, number)),
    show(share) {
      range.step = "any"; // shares that followed need not lie on a step
      range.value = String(share);
      range.step = "0.01";
      range.setAttribute("aria-valuetext", percent(share));
      number.value = String(share);
    },
  };
}

function presets(move) {
  const only = (level) => report.grades.map((_, index) => (index === level ? 1 : 0));
  return make(
    "div",
    { class: "presets" },
    button("Equal", () => move(equalShares())),
    button("Any relevant (AP)", () => move(only(0))),
    button("Highest grade only", () => move(only(GRADES - 1))),
  );
}

/** The board of the explorer: rows are made once and moved, so that it follows a slider. */
function makeBoard(state, onall) {
  const byAp = places(report.explorer.references.AP);
  const rows = report.runs.map((name) => {
    const cells = { place: make("td"), moved: make("td", { class: "moved" }), GAP: make("td"), xGAP: make("td"), eGAP: make("td") };
    return { cells, element: make("tr", {}, cells.place, make("th", { scope: "row", class: "text" }, nameOf(name)), cells.GAP, cells.xGAP, cells.eGAP, cells.moved) };
  });
  const heads = Object.fromEntries(GRADED.map((name) => [name, make("th", { scope: "col" }, name)]));
  const body = make("tbody");
  const more = button("", () => { state.all = !state.all; onall(); }, { class: "more" });
  const title = (text) => make("th", { scope: "col", class: text === "Run" ? "text" : null }, text);
  const table = make("table", { id: "explorer-board" }, make("caption", {}, "Runs under these thresholds"), make("thead", {}, make("tr", {}, title("#"), title("Run"), Object.values(heads), title("vs. AP"))), body);
  const limit = 30;
  let shown = { means: {}, order: [] };
  const columns = () => [
    { title: "run", text: true, value: (run) => report.runs[run] },
    ...GRADED.map((name) => ({ title: `${name}(${thresholdText(state.g)})`, digits: 4, value: (run) => shown.means[name][run] })),
  ];
  return {
    element: make("div", {}, make("div", { class: "scroller", role: "region", "aria-label": "Runs under these thresholds", tabindex: 0 }, table), make("div", { class: "below" }, more, copyButtons("the runs under these thresholds", () => [columns(), shown.order]))),
    show(means) {
      for (const name of GRADED) heads[name].setAttribute("aria-sort", name === state.measure ? "descending" : "none");
      const now = places(means[state.measure]);
      shown = { means, order: [...report.runs.keys()].sort((a, b) => now[a] - now[b]) };
      const order = shown.order.slice(0, state.all ? RUNS : limit);
      for (const run of order) {
        const { cells } = rows[run];
        cells.place.textContent = String(now[run]);
        for (const name of GRADED) {
          cells[name].textContent = format(means[name][run]);
          cells[name].title = means[name][run].toFixed(8);
        }
        showMove(cells.moved, byAp[run] - now[run]);
      }
      body.replaceChildren(...order.map((run) => rows[run].element));
      more.hidden = RUNS <= limit;
      more.textContent = state.all ? `Show the first ${limit}` : `Show all ${RUNS.toLocaleString("en")}`;
    },
  };
}

/** The place of each run by its means, from 1; runs with the same mean keep their order. */
function places(means) {
  const order = [...means.keys()].sort((a, b) => descending(means[a], means[b]) || a - b);
  const found = new Array(means.length);
  order.forEach((run, place) => { found[run] = place + 1; });
  return found;
}

function showMove(cell, steps) {
  cell.textContent = steps === 0 ? "=" : `${steps > 0 ? "▲" : "▼"} ${Math.abs(steps)}`;
  cell.setAttribute("aria-label", steps === 0 ? "same rank" : `${counted(Math.abs(steps), "rank")} ${steps > 0 ? "up" : "down"}`);
  cell.classList.toggle("up", steps > 0);
  cell.classList.toggle("down", steps < 0);
}

function agreementRows(means) {
  return GRADED.map((name) => make("tr", {}, make("th", { scope: "row", class: "text" }, name), Object.values(report.explorer.references).map((other) => make("td", {}, RUNS > 1 ? format(kendall(means[name], other), 3) : "–"))));
}

function explorerSentence({ measure }, means) {
  const now = places(means[measure]);
  const byAp = places(report.explorer.references.AP);
  const first = report.runs[now.indexOf(1)];
  const moved = now.filter((place, run) => place !== byAp[run]).length;
  return `${measure} ranks ${first} first; ${moved ? `${moved} of ${counted(RUNS, "run")} ${moved === 1 ? "has" : "have"} a different rank than under AP` : "all runs have the same rank as under AP"}.`;
}
