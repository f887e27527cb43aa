// The leaderboard: means with intervals, and which runs differ significantly.

function startLeaderboard(measures) {
  const state = { measure: measures.chosen, reference: runsInOrder(measures.chosen)[0], followsBest: true };
  const table = makeTable({
    id: "board",
    caption: "Runs and their means",
    columns: boardColumns(state),
    rows: boardRows(state),
    sort: { key: `m${state.measure}`, direction: "descending" },
  });
  const reference = chooser("reference", "Compare with", report.runs, state.reference, (run) => {
    state.reference = run;
    state.followsBest = false;
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
    refresh({ key: `m${measure}`, direction: "descending" });
  });
  meaning.textContent = boardMeaning(state);
  bodyOf("leaderboard").append(
    make("div", { class: "controls" }, make("div", { class: "field" }, make("label", { for: "filter" }, "Find a run"), filter), reference.element),
    table.element,
    meaning,
  );
}

function boardRows({ measure, reference }) {
  const places = new Map(runsInOrder(measure).map((run, place) => [run, place + 1]));
  return report.runs.map((name, run) => ({
    run,
    name,
    place: places.get(run),
    mark: run !== reference && !differ(measure, run, reference) ? "alike" : run === reference ? "chosen" : null,
  }));
}

function boardColumns(state) {
  const { measure, reference } = state;
  const letters = report.letters[measure];
  const range = intervalRange(measure);
  const others = [...report.measures.keys()].filter((each) => each !== measure);
  return [
    { key: "place", title: "#", label: "Rank", value: (row) => row.place, first: "ascending" },
    { key: "run", title: "Run", value: (row) => row.name, cell: (row) => nameOf(row.name), text: true, heading: true, filtered: true, first: "ascending" },
    { key: `m${measure}`, title: report.measures[measure], value: (row) => meanOf(measure, row.run), digits: 4 },
    { key: "interval", title: `${100 * report.level}% confidence interval`, value: (row) => report.high[measure * RUNS + row.run], digits: 4, text: true, cell: (row) => intervalBar(measure, row.run, range) },
    ...(letters ? [{ key: "group", title: "Group", value: (row) => letters[row.run], text: true, first: "ascending" }] : []),
    ...(RUNS > 1 ? [{ key: "against", title: "Significant", label: `Significantly different from ${report.runs[reference]}`, value: (row) => verdict(measure, row.run, reference), cell: (row) => verdictCell(measure, row.run, reference), text: true }] : []),
    ...others.map((other) => ({ key: `m${other}`, title: report.measures[other], value: (row) => meanOf(other, row.run), digits: 4 })),
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

function intervalRange(measure) {
  const bounds = report.runs.flatMap((_, run) => [report.low[measure * RUNS + run], report.high[measure * RUNS + run]]);
  const known = bounds.filter((value) => !Number.isNaN(value));
  return [Math.min(0, ...known), Math.max(...known, 0.01)];
}

/** The interval of a mean as a bar; its numbers are read out. */
function intervalBar(measure, run, [lowest, highest]) {
  const place = measure * RUNS + run;
  const [low, high] = [report.low[place], report.high[place]];
  const x = scale(lowest, highest, 2, 118);
  const label = `${format(low, 3)} to ${format(high, 3)}`;
  if (Number.isNaN(low)) return "–";
  return makeSvg(
    "svg",
    { viewBox: "0 0 120 14", class: "bar", role: "img", "aria-label": label },
    makeSvg("title", {}, label),
    makeSvg("line", { x1: x(low), x2: x(high), y1: 7, y2: 7, class: "range" }),
    makeSvg("circle", { cx: x(report.means[place]), cy: 7, r: 3.5, class: "dot" }),
  );
}

function boardMeaning({ measure, reference }) {
  if (RUNS < 2) return "There is only one run.";
  const alike = report.runs.filter((_, run) => run !== reference && !differ(measure, run, reference)).length;
  const test = `paired t-test over ${counted(report.compared[measure], "topic")}, Holm's correction over ${report.made.pairs}, alpha ${report.alpha}`;
  const letters = report.letters[measure] ? " Runs that share a letter do not differ significantly." : "";
  return `${alike} of ${counted(RUNS - 1, "other run")} ${alike === 1 ? "does" : "do"} not differ significantly from ${report.runs[reference]} in ${report.measures[measure]}: ${test}.${letters}`;
}
