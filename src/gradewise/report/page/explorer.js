// The threshold explorer: move the relevance thresholds, and all runs are rescored.

function startExplorer() {
  if (GRADES < 2) {
    bodyOf("explorer").append(make("p", { class: "note" }, "All relevant documents have the same grade, so there is only one relevance threshold, and GAP, xGAP and eGAP all equal average precision."));
    return;
  }
  const state = { ...addressedThresholds(), all: false };
  const sliders = report.grades.map((grade, index) => makeSlider(grade, index, (value) => move(moveOnSimplex(state.g, index, value))));
  const board = makeBoard(state, () => refresh());
  const map = makeMap((g) => move(roundToSum(g.map((share) => share * PARTS), PARTS).map((part) => part / PARTS)));
  const agreement = makeTau();
  const byAp = places(report.explorer.references.AP);
  const exact = make("code", { id: "explored" });
  const sentence = make("p", { class: "finding", id: "explorer-sentence" });

  function move(g) {
    state.g = g;
    keepThresholds(state);
    refresh();
    announce(`${sentence.textContent}`);
  }

  function refresh() {
    const means = gradedMeans(state.g);
    sliders.forEach((slider, index) => slider.show(state.g[index]));
    board.show(means);
    if (RUNS > 1) map.update(state.measure, state.g);
    exact.textContent = `${state.measure}(${thresholdText(state.g)})`;
    agreement.show(means);
    sentence.textContent = explorerSentence(state, means, byAp);
  }

  const choose = (name) => make("label", {}, make("input", { type: "radio", name: "graded", value: name, checked: name === state.measure, onchange: () => { state.measure = name; keepThresholds(state); refresh(); } }), ` ${name}`);
  address.follow(() => {
    Object.assign(state, addressedThresholds());
    for (const radio of document.querySelectorAll("input[name=graded]")) radio.checked = radio.value === state.measure;
    refresh();
  });
  bodyOf("explorer").append(
    make("p", {}, "Users differ in the lowest grade that they accept as relevant. Set the share of users for each threshold, and all runs are rescored for these users right here."),
    make(
      "div",
      { class: "explorer" },
      make(
        "div",
        {},
        make("fieldset", {}, make("legend", {}, "Share of users whose threshold is"), sliders.map((slider) => slider.element), presets(move)),
        make("fieldset", { class: "radios" }, make("legend", {}, "Sort by"), GRADED.map(choose)),
        make("p", { class: "exact" }, "Name of this measure: ", exact, button("Copy", () => copyText(exact.textContent, "Name"), { class: "quiet", "aria-label": "Copy the name of the measure" })),
        RUNS === 1 ? null : make("table", { id: "tau" }, make("caption", {}, "Agreement with AP and nDCG over runs (Kendall's τ)"), make("thead", {}, make("tr", {}, make("td"), Object.keys(report.explorer.references).map((name) => make("th", { scope: "col" }, name)))), agreement.element),
        RUNS === 1 ? null : map.element,
      ),
      make("div", {}, sentence, board.element),
    ),
    sampleNote("These values are"),
  );
  refresh();
}

/** The thresholds and the measure that the address names, or equal shares and GAP. */
function addressedThresholds() {
  const given = address.list("g").map(Number);
  const fits = given.length === GRADES && given.every((share) => share >= 0) && Math.abs(given.reduce((sum, share) => sum + share, 0) - 1) < 1e-6;
  const named = address.get("graded");
  return { g: fits ? given : equalShares(), measure: GRADED.includes(named) ? named : "GAP" };
}

/** Keep the thresholds in the address once they are at rest; the usual ones are left out. */
function keepThresholds({ g, measure }) {
  const usual = g.join() === equalShares().join();
  address.settle({ g: usual ? null : g, graded: measure === "GAP" ? null : measure });
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

/**
 * The board of the explorer. Rows stay where they are, and only what changes in them is written, so
 * that it follows a slider.
 */
function makeBoard(state, onall) {
  const byAp = places(report.explorer.references.AP);
  const names = report.runs.map((name) => nameOf(name));
  const heads = Object.fromEntries(GRADED.map((name) => [name, make("th", { scope: "col" }, name)]));
  const body = make("tbody");
  const more = button("", () => { state.all = !state.all; onall(); }, { class: "more" });
  const title = (text) => make("th", { scope: "col", class: text === "Run" ? "text" : null }, text);
  const table = make("table", { id: "explorer-board" }, make("caption", {}, "Runs under these thresholds"), make("thead", {}, make("tr", {}, title("#"), title("Run"), Object.values(heads), RUNS > 1 ? title("vs. AP") : null)), body);
  const limit = 15;
  const rows = [];
  let shown = { means: {}, order: [] };
  const columns = () => [
    { title: "run", text: true, value: (run) => report.runs[run] },
    ...GRADED.map((name) => ({ title: `${name}(${thresholdText(state.g)})`, digits: 4, value: (run) => shown.means[name][run] })),
  ];
  const element = make("div", {}, make("div", { class: "scroller", role: "region", "aria-label": "Runs under these thresholds", tabindex: 0 }, table), make("div", { class: "below" }, more, copyButtons("the runs under these thresholds", () => [columns(), shown.order])));
  shownTables.push({ element, showAll: (printed) => { state.printed = printed; onall(); } });
  return {
    element,
    show(means) {
      for (const name of GRADED) heads[name].setAttribute("aria-sort", name === state.measure ? "descending" : "none");
      const now = places(means[state.measure]);
      shown = { means, order: [...report.runs.keys()].sort((a, b) => now[a] - now[b]) };
      const order = shown.order.slice(0, state.all || state.printed ? RUNS : limit);
      while (rows.length < order.length) rows.push(boardRow());
      order.forEach((run, place) => rows[place].show(names[run], now[run], GRADED.map((name) => means[name][run]), byAp[run] - now[run]));
      if (body.childElementCount !== order.length) body.replaceChildren(...rows.slice(0, order.length).map((row) => row.element));
      more.hidden = RUNS <= limit;
      more.textContent = state.all ? `Show the first ${limit}` : `Show all ${RUNS.toLocaleString("en")}`;
    },
  };
}

/** A row of the board, which writes only what has changed. */
function boardRow() {
  const [place, run, moved] = [make("td"), make("th", { scope: "row", class: "text" }), make("td", { class: "moved" })];
  const numbers = GRADED.map(() => make("td"));
  const before = { numbers: [] };
  return {
    element: make("tr", {}, place, run, numbers, RUNS > 1 ? moved : null),
    show(name, rank, values, steps) {
      if (before.name !== name) run.replaceChildren(name);
      if (before.rank !== rank) place.textContent = String(rank);
      if (before.steps !== steps) showMove(moved, steps);
      values.forEach((value, index) => {
        if (before.numbers[index] === value) return;
        const [text, cell] = [format(value), numbers[index]];
        if (cell.textContent !== text) cell.textContent = text;
        cell.title = value.toFixed(8);
      });
      Object.assign(before, { name, rank, steps, numbers: values });
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

const QUICK_RUNS = 300; // of which all pairs are compared while a slider moves

/** Rank correlations of the measures with AP and nDCG, in cells that stay; of many runs, at rest. */
function makeTau() {
  const references = Object.values(report.explorer.references);
  const rows = GRADED.map((name) => ({ name, cells: references.map(() => make("td")) }));
  let waiting;
  const write = (means) => {
    for (const { name, cells } of rows) cells.forEach((cell, index) => { cell.textContent = RUNS > 1 ? format(kendall(means[name], references[index]), 3) : "–"; });
  };
  return {
    element: make("tbody", {}, rows.map(({ name, cells }) => make("tr", {}, make("th", { scope: "row", class: "text" }, name), cells))),
    show(means) {
      clearTimeout(waiting);
      if (RUNS > QUICK_RUNS) waiting = setTimeout(write, 150, means);
      else write(means);
    },
  };
}

function explorerSentence({ measure }, means, byAp) {
  if (RUNS === 1) return `For these users, ${report.runs[0]} has a mean ${measure} of ${format(means[measure][0])}.`;
  const now = places(means[measure]);
  const first = report.runs[now.indexOf(1)];
  const moved = now.filter((place, run) => place !== byAp[run]).length;
  return `${measure} ranks ${first} first; ${moved ? `${moved} of ${counted(RUNS, "run")} ${moved === 1 ? "has" : "have"} a different rank than under AP` : "all runs have the same rank as under AP"}.`;
}
