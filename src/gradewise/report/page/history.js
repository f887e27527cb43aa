// Over time: how runs moved from release to release.

const SHOWN_RELEASES = 12; // labels of an axis
const HISTORY_LINES = 60; // runs that are drawn besides the chosen one

const releases = views[0].history && readHistory(views[0].history);

function readHistory(held) {
  if (held.read) return held;
  for (const measure of held.measures) {
    for (const name of ["mean", "topics", "previous", "change", "low", "high", "shared", "paired", "p", "significant"]) measure[name] = unpack(measure[name]);
    for (const name of ["change", "low", "high", "shared", "paired"]) measure.whole[name] = unpack(measure.whole[name]);
  }
  held.read = true;
  return held;
}

function startHistory(measures) {
  showSection("history", releases);
  if (!releases) return;
  const followed = () => Math.max(0, releases.measures.findIndex(({ name }) => name === report.measures[measures.chosen]));
  const state = { measure: followed(), run: 0 };
  const result = make("div", { id: "history-result" });
  const choice = chooser("history-run", "Run", releases.measures[state.measure].runs, state.run, (run) => {
    state.run = run;
    keep();
    refresh();
    announce(result.querySelector("p").textContent);
  });
  const measureChoice = chooser("history-measure", "Measure", releases.measures.map(({ name }) => name), state.measure, (measure) => {
    chooseMeasure(measure);
    refresh();
  });
  const overview = make("div");
  const keep = () => {
    address.set({ history: releases.measures[state.measure].runs[state.run] });
  };

  function chooseMeasure(measure) {
    const name = releases.measures[state.measure].runs[state.run];
    state.measure = measure;
    fillRuns(name);
  }

  function fillRuns(name) {
    const { runs } = releases.measures[state.measure];
    state.run = Math.max(0, runs.indexOf(name));
    choice.select.replaceChildren(...runs.map((run, place) => make("option", { value: place, selected: place === state.run }, run)));
  }

  function refresh() {
    measureChoice.select.value = String(state.measure);
    choice.select.value = String(state.run);
    const held = releases.measures[state.measure];
    result.replaceChildren(...releaseParts(held, state.run));
    overview.replaceChildren(releaseOverview(held));
  }

  measures.follow((measure) => {
    const place = releases.measures.findIndex(({ name }) => name === report.measures[measure]);
    if (place >= 0) chooseMeasure(place);
    refresh();
  });
  const reread = () => {
    if (address.get("history")) fillRuns(address.get("history"));
    refresh();
  };
  address.follow(reread);
  reread();
  bodyOf("history").append(
    make("div", { class: "controls" }, choice.element, measureChoice.element),
    result,
    make("h3", {}, "All runs, from their first to their last release"),
    overview,
    make("p", { class: "note" }, releases.explanation),
    ...releases.notes.map((note) => make("p", { class: "note" }, note)),
  );
}

/** The steps of a run: {release, topics, mean, since, change, low, high, shared, paired, p, significant}. */
function stepsOf(held, run) {
  const number = releases.releases.length;
  return releases.releases.flatMap((release, column) => {
    const place = run * number + column;
    if (!held.topics[place]) return [];
    const before = held.previous[place];
    return [{
      release,
      column,
      topics: held.topics[place],
      mean: held.mean[place],
      since: before < 0 ? null : releases.releases[before],
      change: held.change[place],
      low: held.low[place],
      high: held.high[place],
      shared: held.shared[place],
      paired: held.paired[place] === 1,
      p: held.p[place],
      significant: held.significant[place] === 1,
    }];
  });
}

function releaseParts(held, run) {
  const steps = stepsOf(held, run);
  const name = held.runs[run];
  return [
    ...held.findings.map((finding) => make("p", { class: "finding" }, finding)),
    make("div", { class: "columns" }, releaseFigure(held, run, steps), changeFigure(held, name, steps)),
    releaseTable(held, name, steps),
  ];
}

/** Where releases stand along the axis, and the names of as many as fit. */
function releaseAxis(left, right, bottom) {
  const names = releases.releases;
  const x = scale(-0.5, names.length - 0.5, left, right);
  const every = Math.ceil(names.length / SHOWN_RELEASES);
  const room = Math.max(4, Math.floor(((right - left) / Math.min(names.length, SHOWN_RELEASES)) / 7.5));
  const labels = names.flatMap((name, place) => (place % every ? [] : [titled(makeSvg("text", { x: x(place), y: bottom + 16, class: "tick", "text-anchor": "middle" }, shortened(name, room)), name)]));
  return { x, labels };
}

function valueAxis(y, low, high, left, right, text) {
  return ticks(low, high).map((value) => [
    makeSvg("line", { x1: left, x2: right, y1: y(value), y2: y(value), class: "grid" }),
    makeSvg("text", { x: left - 6, y: y(value) + 4, class: "tick", "text-anchor": "end" }, text(value)),
  ]);
}

/** The means of all runs by release; the chosen one stands out. */
function releaseFigure(held, run, steps) {
  const [width, height, left] = [640, 250, 64];
  const known = [...held.mean].filter((value) => !Number.isNaN(value));
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const y = scale(low, high, height - 10, 16);
  const { x, labels } = releaseAxis(left, width - 10, height);
  const path = (rows) => rows.map((step) => `${x(step.column).toFixed(1)},${y(step.mean).toFixed(1)}`).join(" ");
  const others = held.runs.slice(0, HISTORY_LINES).flatMap((name, other) => (other === run ? [] : [titled(makeSvg("polyline", { points: path(stepsOf(held, other)), class: "curve other" }), name)]));
  const dots = steps.map((step) => titled(makeSvg("circle", { cx: x(step.column), cy: y(step.mean), r: 5, class: step.significant ? "first" : "hollow first" }), `${step.release}: ${format(step.mean)}`));
  const words = steps.map((step) => `${step.release} ${format(step.mean, 3)}`).join(", ");
  return make(
    "figure",
    { id: "history-figure" },
    make("figcaption", {}, `Mean ${held.name} by release: `, nameOf(held.runs[run]), held.runs.length > 1 ? ", and all other runs in gray" : "", "; filled dots are significant changes"),
    chart(width, height + 24, `Mean ${held.name} of ${held.runs[run]} by release: ${words}`, valueAxis(y, low, high, left, width - 10, tickText), others, makeSvg("polyline", { points: path(steps), class: "curve" }), dots, labels),
  );
}

/** The change of a run to each release, with its interval. */
function changeFigure(held, name, steps) {
  const moved = steps.filter((step) => step.since !== null && !Number.isNaN(step.change));
  if (!moved.length) return make("p", { class: "note" }, "This run is in one release only.");
  const [width, height, left] = [640, 250, 76];
  const bounds = moved.flatMap((step) => [step.low, step.high, step.change]).filter((value) => !Number.isNaN(value));
  const [low, high] = [Math.min(0, ...bounds), Math.max(0, ...bounds)];
  const y = scale(low, high, height - 10, 12);
  const { x, labels } = releaseAxis(left, width - 10, height);
  const sign = held.lower ? -1 : 1;
  const marks = moved.map((step) => {
    const side = sign * step.change >= 0 ? "first" : "second";
    return [
      Number.isNaN(step.low) ? null : makeSvg("line", { x1: x(step.column), x2: x(step.column), y1: y(step.low), y2: y(step.high), class: `link ${side}` }),
      titled(makeSvg("circle", { cx: x(step.column), cy: y(step.change), r: 5, class: step.significant ? side : `hollow ${side}` }), `${step.release}: ${formatSigned(step.change)} [${format(step.low)}, ${format(step.high)}]`),
    ];
  });
  const words = moved.map((step) => `${step.release} ${formatSigned(step.change, 3)}`).join(", ");
  return make(
    "figure",
    { id: "change-figure" },
    make("figcaption", {}, `Change of `, nameOf(name), ` since the previous release, with ${100 * releases.level}% intervals`),
    chart(width, height + 24, `Changes of ${name} in ${held.name}: ${words}`, valueAxis(y, low, high, left, width - 10, (value) => (value > 1e-9 ? "+" : "") + tickText(value)), makeSvg("line", { x1: left, x2: width - 10, y1: y(0), y2: y(0), class: "zero" }), marks, labels),
  );
}

function sharedText(shared, paired) {
  return paired ? String(shared) : `${shared}, unpaired`;
}

function releaseTable(held, name, steps) {
  const since = (row, text) => (row.since === null ? "–" : text);
  return makeTable({
    id: "release-table",
    caption: `${name} by release`,
    columns: [
      { key: "release", title: "Release", value: (row) => row.release, cell: (row) => nameOf(row.release), text: true, heading: true, filtered: true, first: "ascending" },
      { key: "topics", title: "Topics", value: (row) => row.topics },
      { key: "mean", title: held.name, value: (row) => row.mean, digits: 4 },
      { key: "change", title: "Change", value: (row) => row.change, cell: (row) => since(row, formatSigned(row.change)) },
      { key: "low", title: "From", label: "Lower end of the interval", value: (row) => row.low, cell: (row) => since(row, formatSigned(row.low)) },
      { key: "high", title: "To", label: "Upper end of the interval", value: (row) => row.high, cell: (row) => since(row, formatSigned(row.high)) },
      { key: "shared", title: "Shared topics", value: (row) => row.shared, cell: (row) => since(row, sharedText(row.shared, row.paired)) },
      { key: "p", title: "p", label: "p-value, corrected for all changes", value: (row) => row.p, cell: (row) => since(row, formatP(row.p)), first: "ascending" },
      { key: "significant", title: "Significant", value: (row) => (row.since === null ? "–" : row.significant ? "yes" : "no"), text: true },
    ],
    rows: steps,
    sort: { key: null, direction: "none" },
  }).element;
}

/** The first and the last release of every run. */
function releaseOverview(held) {
  const rows = held.runs.map((name, run) => {
    const steps = stepsOf(held, run);
    const [first, last] = [steps[0], steps.at(-1)];
    const { change, low, high, shared, paired } = held.whole;
    return { name, first: first.mean, last: last.mean, since: first.release, until: last.release, change: change[run], low: low[run], high: high[run], shared: shared[run], paired: paired[run] === 1, moved: steps.length > 1 };
  });
  const moved = (row, text) => (row.moved ? text : "–");
  return makeTable({
    id: "history-table",
    caption: "First and last release of every run",
    columns: [
      { key: "run", title: "Run", value: (row) => row.name, cell: (row) => nameOf(row.name), text: true, heading: true, filtered: true, first: "ascending" },
      { key: "since", title: "First", value: (row) => row.since, cell: (row) => nameOf(row.since), text: true, first: "ascending" },
      { key: "first", title: `${held.name}, first`, value: (row) => row.first, digits: 4 },
      { key: "until", title: "Last", value: (row) => row.until, cell: (row) => nameOf(row.until), text: true, first: "ascending" },
      { key: "last", title: `${held.name}, last`, value: (row) => row.last, digits: 4 },
      { key: "change", title: "Change", value: (row) => row.change, cell: (row) => moved(row, formatSigned(row.change)) },
      { key: "low", title: "From", label: "Lower end of the interval", value: (row) => row.low, cell: (row) => moved(row, formatSigned(row.low)) },
      { key: "high", title: "To", label: "Upper end of the interval", value: (row) => row.high, cell: (row) => moved(row, formatSigned(row.high)) },
      { key: "shared", title: "Shared topics", value: (row) => row.shared, cell: (row) => moved(row, sharedText(row.shared, row.paired)) },
    ],
    rows,
    sort: { key: null, direction: "none" },
    limit: 12,
  }).element;
}
