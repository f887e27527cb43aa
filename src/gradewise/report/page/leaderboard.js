// The leaderboard: means with intervals, and which runs differ significantly.

function startLeaderboard(measures) {
  const state = { measure: measures.chosen, reference: runsInOrder(measures.chosen)[0], followsBest: true };
  const table = makeTable({
    id: "board",
    caption: "Runs and their means",
    columns: boardColumns(state),
    rows: boardRows(state),
    sort: { key: `m${state.measure}`, direction: bestFirst(state.measure) },
    limit: 10,
    between: (above, row, sort) => (sort.key === `m${state.measure}` && above.tier !== row.tier ? "tier-start" : ""),
  });
  const reference = chooser("reference", "Compare with", report.runs, state.reference, (run) => {
    state.reference = run;
    state.followsBest = run === runsInOrder(state.measure)[0];
    refresh();
  });
  const filter = make("input", { type: "search", id: "filter", autocomplete: "off", oninput: () => table.filter(filter.value) });
  const meaning = make("p", { class: "note" });

  function refresh(sort) {
    table.choose(boardColumns(state), boardRows(state), sort);
    meaning.textContent = boardMeaning(state);
  }

  measures.follow((measure) => {
    state.measure = measure;
    if (state.followsBest) state.reference = runsInOrder(measure)[0];
    reference.select.value = String(state.reference);
    refresh({ key: `m${measure}`, direction: bestFirst(measure) });
  });
  meaning.textContent = boardMeaning(state);
  bodyOf("leaderboard").append(
    make("div", { class: "controls" }, make("div", { class: "field" }, make("label", { for: "filter" }, "Find a run"), filter), familyChooser(measures, (test) => table.keep(test)), reference.element),
    table.element,
    meaning,
  );
}

function boardRows({ measure, reference }) {
  const places = new Map();
  runsInOrder(measure).forEach((run, place, order) => {
    const tied = place > 0 && meanOf(measure, run) === meanOf(measure, order[place - 1]);
    places.set(run, tied ? places.get(order[place - 1]) : place + 1); // equal means share a rank
  });
  return report.runs.map((name, run) => ({
    run,
    name,
    place: places.get(run),
    tier: report.tiers[measure]?.[run] ?? null,
    mark: run !== reference && !differ(measure, run, reference) ? "alike" : run === reference ? "chosen" : null,
  }));
}

function boardColumns(state) {
  const { measure, reference } = state;
  const [letters, tiers] = [report.letters[measure], report.tiers[measure]];
  const range = intervalRange(measure);
  const others = [...report.measures.keys()].filter((each) => each !== measure);
  return [
    { key: "place", title: "#", label: "Rank", value: (row) => row.place, first: "ascending" },
    { key: "run", title: "Run", value: (row) => row.name, cell: (row) => runLink(row, reference), text: true, heading: true, filtered: true, first: "ascending" },
    { key: `m${measure}`, title: report.measures[measure], value: (row) => meanOf(measure, row.run), digits: 4, first: bestFirst(measure) },
    { key: "interval", title: `${100 * report.level}% confidence interval`, value: (row) => report.high[measure * RUNS + row.run], digits: 4, text: true, cell: (row) => intervalBar(measure, row.run, range), under: () => intervalAxis(range) },
    ...(tiers ? [{ key: "tier", title: "Tier", value: (row) => row.tier, cell: (row) => make("span", { class: row.tier === 1 ? "tier best" : "tier" }, String(row.tier)), first: "ascending" }] : []),
    ...(letters && RUNS > 2 ? [{ key: "group", title: "Group", value: (row) => letters[row.run], text: true, first: "ascending" }] : []),
    ...(!state.followsBest ? [{ key: "against", title: "Significant", label: `Significantly different from ${report.runs[reference]}`, value: (row) => verdict(measure, row.run, reference), cell: (row) => verdictCell(measure, row.run, reference), text: true }] : []),
    ...others.map((other) => ({ key: `m${other}`, title: report.measures[other], value: (row) => meanOf(other, row.run), digits: 4, first: bestFirst(other) })),
  ];
}

function verdict(measure, run, reference) {
  if (run === reference) return "–";
  if (!differ(measure, run, reference)) return "no";
  return meanOf(measure, run) > meanOf(measure, reference) ? "higher" : "lower";
}

function verdictCell(measure, run, reference) {
  const word = verdict(measure, run, reference);
  return make("span", { class: `verdict ${word === "no" ? "none" : ""}` }, word);
}

/** A run, which leads to its comparison with the reference. */
function runLink(row, reference) {
  const other = row.run === reference ? runsInOrder(measures.chosen).find((run) => run !== reference) : reference;
  return stateLink({ section: "pairs", runs: [report.runs[row.run], report.runs[other]] }, nameOf(row.name));
}

/** The axis of the intervals, below the head of their column. */
function intervalAxis([lowest, highest]) {
  const x = scale(lowest, highest, 6, 154);
  return makeSvg("svg", { viewBox: "0 0 160 18", class: "bar axis", "aria-hidden": "true" }, ticks(lowest, highest, 3).map((value) => [
    makeSvg("line", { x1: x(value), x2: x(value), y1: 13, y2: 18, class: "grid" }),
    makeSvg("text", { x: x(value), y: 10, "text-anchor": x(value) < 14 ? "start" : x(value) > 146 ? "end" : "middle" }, tickText(value)),
  ]));
}

function intervalRange(measure) {
  const bounds = report.runs.flatMap((_, run) => [report.low[measure * RUNS + run], report.high[measure * RUNS + run]]);
  const known = bounds.filter((value) => !Number.isNaN(value));
  return [Math.min(0, ...known), Math.max(...known, 0.01)];
}

/** The interval of a mean as a bar; its numbers are read out. */
function intervalBar(measure, run, [lowest, highest]) {
  const place = measure * RUNS + run;
  const [low, high] = [report.low[place], report.high[place]];
  const x = scale(lowest, highest, 6, 154);
  const rules = ticks(lowest, highest, 3).map((value) => makeSvg("line", { x1: x(value), x2: x(value), y1: 0, y2: 14, class: "grid" }));
  const label = `${format(low, 3)} to ${format(high, 3)}`;
  if (Number.isNaN(low)) return "–";
  return makeSvg(
    "svg",
    { viewBox: "0 0 160 14", class: "bar", role: "img", "aria-label": label },
    makeSvg("title", {}, label),
    rules,
    makeSvg("line", { x1: x(low), x2: x(high), y1: 7, y2: 7, class: "range" }),
    makeSvg("circle", { cx: x(report.means[place]), cy: 7, r: 3.5, class: "dot" }),
  );
}

function boardMeaning({ measure, reference }) {
  if (RUNS === 2) return `The runs ${differ(measure, 0, 1) ? "differ" : "do not differ"} significantly in ${report.measures[measure]}: paired t-test over ${counted(report.compared[measure], "topic")}, alpha ${report.alpha}.`;
  const alike = report.runs.filter((_, run) => run !== reference && !differ(measure, run, reference)).length;
  const test = `paired t-test over ${counted(report.compared[measure], "topic")}, Holm's correction over ${report.made.pairs} (all pairs, because the best run is known only from these topics), alpha ${report.alpha}`;
  const groups = report.letters[measure] || report.tiers[measure] ? ` ${report.meaning[measure]}` : "";
  return `${alike} of ${counted(RUNS - 1, "other run")} ${alike === 1 ? "does" : "do"} not differ significantly from ${report.runs[reference]} in ${report.measures[measure]}: ${test}.${groups}`;
}
