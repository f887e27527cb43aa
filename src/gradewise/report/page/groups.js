// Groups of topics: where which run is better, and whether that depends on the topics.

const GROUPS = report.groups && {
  tested: report.groups.tested,
  quantiles: unpack(report.groups.quantiles),
  attributes: report.groups.attributes.map((attribute) => ({ ...attribute, labels: unpack(attribute.labels) })),
};

/** Show a section and the link to it, or hide both. */
function showSection(section, there) {
  document.getElementById(section).hidden = !there;
  document.querySelector(`nav a[href="#${section}"]`).parentElement.hidden = !there;
}

function startGroups(measures) {
  showSection("groups", GROUPS);
  if (!GROUPS) return;
  if (RUNS < 2) {
    startGroupsOfOne(measures);
    return;
  }
  const state = { measure: measures.chosen, ...groupPair(measures.chosen) };
  const result = make("div", { id: "group-result" });
  const about = make("p", { class: "note" });
  const winners = makeTable({ id: "winner-table", caption: "Best run on each group", columns: winnerColumns(state.measure), rows: winnerRows(state.measure), sort: { key: null, direction: "none" } });
  const choose = (side) => chooser(`group-${side}`, side === "a" ? "Compare" : "with", report.runs, state[side], (run) => {
    state[side] = run;
    keepGroupPair(state);
    refresh();
    announce(result.querySelector("p").textContent);
  });
  const [first, second] = [choose("a"), choose("b")];
  const refresh = () => {
    first.select.value = String(state.a);
    second.select.value = String(state.b);
    result.replaceChildren(...groupParts(state));
    about.textContent = `The lead is that over ${report.runs[runsInOrder(state.measure)[0]]}, the best run on all topics, where another run is best. It is significant after correction for ${counted(GROUPS.tested, "group")} and ${report.made.pairs}.`;
  };
  measures.follow((measure) => {
    state.measure = measure;
    refresh();
    winners.choose(winnerColumns(measure), winnerRows(measure));
  });
  address.follow(() => {
    Object.assign(state, groupPair(state.measure));
    refresh();
  });
  refresh();
  bodyOf("groups").append(
    make("div", { class: "controls" }, first.element, second.element),
    result,
    make("h3", {}, "Best run on each group"),
    winners.element,
    about,
  );
}

/** The runs that the address names, or the two best. */
function groupPair(measure) {
  const order = runsInOrder(measure);
  const named = address.list("groups").map((name) => report.runs.indexOf(name));
  return named.length === 2 && named.every((run) => run >= 0) ? { a: named[0], b: named[1] } : { a: order[0], b: order[1] };
}

function keepGroupPair({ a, b }) {
  address.set({ groups: [report.runs[a], report.runs[b]] });
}

/** {attribute, group, places} of each group. */
function topicGroups() {
  return GROUPS.attributes.flatMap((attribute, number) => attribute.groups.map((group, index) => ({
    attribute: attribute.name,
    number,
    group,
    places: [...attribute.labels.keys()].filter((place) => attribute.labels[place] === index + 1),
  })));
}

function knownOn(measure, run, place) {
  return isCounted(run, place) && !Number.isNaN(valueOf(measure, run, place));
}

/** How many pairs and groups p-values are corrected for. */
function groupFamily() {
  return GROUPS.tested * ((RUNS * (RUNS - 1)) / 2);
}

/** Both runs on a group: means, difference with its interval, and p corrected for groups and pairs. */
function compareOn({ measure, a, b }, group, largest) {
  const places = group.places.filter((place) => knownOn(measure, a, place) && knownOn(measure, b, place));
  const differences = places.map((place) => unlessNoise(valueOf(measure, a, place) - valueOf(measure, b, place), largest));
  const found = pairedTest(differences, largest, GROUPS.quantiles);
  const sign = signOf(measure);
  const p = Math.min(1, found.p * groupFamily());
  return {
    ...group,
    differences,
    topics: places.length,
    a: mean(places.map((place) => valueOf(measure, a, place))),
    b: mean(places.map((place) => valueOf(measure, b, place))),
    difference: places.length ? found.mean : NaN,
    low: found.low,
    high: found.high,
    p,
    significant: p <= report.alpha,
    wins: differences.filter((difference) => sign * difference > 0).length,
    ties: differences.filter((difference) => difference === 0).length,
    losses: differences.filter((difference) => sign * difference < 0).length,
  };
}

/** The largest value of two runs, to which the noise of their differences is relative. */
function largestOf({ measure, a, b }) {
  let largest = 0;
  for (let place = 0; place < TOPICS; place += 1) {
    for (const run of [a, b]) if (knownOn(measure, run, place)) largest = Math.max(largest, Math.abs(valueOf(measure, run, place)));
  }
  return largest;
}

function groupParts(state) {
  const [a, b] = [report.runs[state.a], report.runs[state.b]];
  if (state.a === state.b) return [make("p", { class: "finding" }, "These are the same run.")];
  const largest = largestOf(state);
  const rows = topicGroups().map((group) => compareOn(state, group, largest));
  const tests = GROUPS.attributes.map((attribute, number) => ({ name: attribute.name, p: dependence(rows.filter((row) => row.number === number), largest) }));
  return [
    make("p", { class: "finding" }, groupSentence(state, rows)),
    make("p", { class: "finding" }, dependenceSentence(a, b, tests)),
    make("div", { class: "columns" }, groupFigure(state, rows), make("div", {}, groupNotes())),
    groupTable(rows, a, b),
  ];
}

function groupSentence({ measure, a, b }, rows) {
  const sign = signOf(measure);
  const better = rows.filter((row) => row.significant && sign * row.difference > 0).length;
  const worse = rows.filter((row) => row.significant && sign * row.difference < 0).length;
  return `${report.measures[measure]}: ${report.runs[a]} is significantly better than ${report.runs[b]} in ${better || "none"} of ${counted(GROUPS.tested, "group")}${worse ? `, and significantly worse in ${worse}` : ""}, after correction for all groups and ${report.made.pairs}.`;
}

function dependenceSentence(a, b, tests) {
  const corrected = tests.map(({ name, p }) => ({ name, p: Math.min(1, p * tests.length) }));
  const known = corrected.filter(({ p }) => !Number.isNaN(p));
  const real = known.filter(({ p }) => p <= report.alpha);
  const test = `Welch's test, corrected for ${counted(tests.length, "attribute")}`;
  const equals = (p) => (p < 0.0001 ? "p < 0.0001" : `p = ${p.toFixed(4)}`);
  if (real.length) return `The difference between ${a} and ${b} depends on ${real.map(({ name, p }) => `${name} (${equals(p)})`).join(" and ")}; ${test}.`;
  if (!known.length) return "Groups are too small to test whether the difference depends on them.";
  return `No attribute changes the difference between ${a} and ${b} significantly: that it varies from group to group may be due to the choice of topics (${test}; smallest ${equals(Math.min(...known.map(({ p }) => p)))}).`;
}

/** p of Welch's test that the mean difference is the same in all groups; see stats/interaction.py. */
function dependence(rows, largest) {
  const parts = rows.filter((row) => row.topics > 1).map((row) => ({ n: row.topics, mean: mean(row.differences), variance: deviation(row.differences) ** 2 }));
  const k = parts.length;
  if (k < 2) return NaN;
  const flat = parts.filter(({ variance }) => Math.sqrt(variance) <= SAME * largest).length;
  const sum = (term) => parts.reduce((total, part) => total + term(part), 0);
  if (flat === k) return Math.max(...parts.map((part) => part.mean)) - Math.min(...parts.map((part) => part.mean)) <= SAME * largest ? 1 : 0;
  if (flat) {
    const topics = sum(({ n }) => n);
    const centre = sum((part) => part.n * part.mean) / topics;
    const between = sum((part) => part.n * (part.mean - centre) ** 2) / (k - 1);
    const within = sum((part) => (part.n - 1) * part.variance) / (topics - k);
    return upperF(between / within, k - 1, topics - k);
  }
  const weight = (part) => part.n / part.variance;
  const total = sum(weight);
  const centre = sum((part) => weight(part) * part.mean) / total;
  const between = sum((part) => weight(part) * (part.mean - centre) ** 2) / (k - 1);
  const spread = sum((part) => (1 - weight(part) / total) ** 2 / (part.n - 1));
  return upperF(between / (1 + ((2 * (k - 2)) / (k * k - 1)) * spread), k - 1, (k * k - 1) / (3 * spread));
}

/** The chance that F is at least this large. */
function upperF(ratio, above, below) {
  return incompleteBeta(below / (below + above * ratio), below / 2, above / 2);
}

/** Differences with their intervals, attribute by attribute; full dots are significant. */
function groupFigure({ measure, a, b }, rows) {
  const [width, left, step, head] = [640, 236, 22, 26];
  const [low, high] = shownRange(rows.map((row) => ({ ...row, at: row.difference })));
  const x = scale(low, high, left + 8, width - 12);
  let y = 6;
  const marks = [];
  GROUPS.attributes.forEach((attribute, number) => {
    y += head - 6;
    marks.push(makeSvg("text", { x: 0, y, class: "title" }, shortened(attribute.name, 60)));
    for (const row of rows.filter((each) => each.number === number)) {
      y += step;
      marks.push(groupMark(row, x, y, left, signOf(measure), [low, high]));
    }
    y += 6;
  });
  const bottom = y + 8;
  const words = rows.map((row) => `${row.attribute} ${row.group}: ${formatSigned(row.difference, 3)}`).join(", ");
  const measured = report.measures[measure];
  return make(
    "figure",
    { id: "group-figure" },
    make("figcaption", {}, `Mean difference on each group, with ${100 * report.level}% intervals that hold jointly for all groups; filled dots are significant`),
    chart(width, bottom + 40, `Difference between ${report.runs[a]} and ${report.runs[b]} in ${measured}: ${words}`, axis(x, ticks(low, high), 8, bottom, `${measured}, ${shortened(report.runs[a], 24)} minus ${shortened(report.runs[b], 24)}`), makeSvg("line", { x1: x(0), x2: x(0), y1: 8, y2: bottom, class: "zero" }), marks),
  );
}

/** A range that holds 0 and all values, and intervals but for those of few topics, which would dwarf it. */
function shownRange(rows) {
  const known = rows.filter((row) => !Number.isNaN(row.at));
  const halves = known.filter((row) => !Number.isNaN(row.low)).map((row) => (row.high - row.low) / 2).sort((a, b) => a - b);
  const most = halves.length ? 3 * halves[Math.floor(halves.length / 2)] : 0;
  const ends = known.flatMap((row) => [row.at, Number.isNaN(row.low) ? row.at : Math.max(row.low, row.at - most), Number.isNaN(row.low) ? row.at : Math.min(row.high, row.at + most)]);
  return [Math.min(0, ...ends), Math.max(0, ...ends)];
}

/** An interval as a line, with an arrow where it goes on beyond the figure. */
function rangeMark(x, y, { low, high }, [least, most], side) {
  const [from, to] = [Math.max(low, least), Math.min(high, most)];
  const arrow = (at, towards) => makeSvg("path", { d: `M ${x(at) - 6 * towards} ${y - 5} L ${x(at)} ${y} L ${x(at) - 6 * towards} ${y + 5}`, class: `link arrowhead ${side}` });
  return [
    makeSvg("line", { x1: x(from), x2: x(to), y1: y, y2: y, class: `link ${side}` }),
    from > low ? arrow(from, -1) : null,
    to < high ? arrow(to, 1) : null,
  ];
}

function groupMark(row, x, y, left, sign, range) {
  const side = sign * row.difference >= 0 ? "first" : "second";
  const label = makeSvg("text", { x: left - 8, y: y + 4, "text-anchor": "end" }, `${shortened(row.group, 24)} (${row.topics})`);
  if (Number.isNaN(row.difference)) return label;
  const line = Number.isNaN(row.low) ? null : rangeMark(x, y, row, range, side);
  const dot = makeSvg("circle", { cx: x(row.difference), cy: y, r: 5, class: row.significant ? side : `hollow ${side}` });
  return [label, line, titled(dot, `${row.attribute}, ${row.group}: ${formatSigned(row.difference)} [${format(row.low)}, ${format(row.high)}]`)];
}

function groupTable(rows, a, b) {
  return makeTable({
    id: "group-table",
    caption: `${a} and ${b} on each group`,
    columns: [
      { key: "attribute", title: "Attribute", value: (row) => row.attribute, cell: (row) => nameOf(row.attribute), text: true, first: "ascending" },
      { key: "group", title: "Group", value: (row) => row.group, cell: (row) => nameOf(row.group), text: true, heading: true, filtered: true, first: "ascending" },
      { key: "topics", title: "Topics", value: (row) => row.topics },
      { key: "a", title: a, value: (row) => row.a, digits: 4 },
      { key: "b", title: b, value: (row) => row.b, digits: 4 },
      { key: "difference", title: "Difference", value: (row) => row.difference, cell: (row) => formatSigned(row.difference) },
      { key: "low", title: "From", label: "Lower end of the interval", value: (row) => row.low, cell: (row) => formatSigned(row.low) },
      { key: "high", title: "To", label: "Upper end of the interval", value: (row) => row.high, cell: (row) => formatSigned(row.high) },
      { key: "wins", title: "Won, tied, lost", value: (row) => row.wins, cell: (row) => `${row.wins}, ${row.ties}, ${row.losses}` },
      { key: "p", title: "p", label: "p-value, corrected for groups and pairs", value: (row) => row.p, cell: (row) => formatP(row.p), first: "ascending" },
      { key: "significant", title: "Significant", value: (row) => (row.significant ? "yes" : "no"), text: true },
    ],
    rows,
    sort: { key: null, direction: "none" },
  }).element;
}

/** The best run on each group, and its lead over the best run on all topics. */
function winnerRows(measure) {
  const overall = runsInOrder(measure)[0];
  const sign = signOf(measure);
  return topicGroups().map((group) => {
    const means = report.runs.map((_, run) => mean(group.places.filter((place) => knownOn(measure, run, place)).map((place) => valueOf(measure, run, place))));
    let best = overall;
    means.forEach((value, run) => { if (sign * value > sign * means[best] + SAME * Math.abs(means[best])) best = run; });
    const pair = { measure, a: best, b: overall };
    const found = best === overall ? null : compareOn(pair, group, largestOf(pair));
    return { ...group, topics: group.places.length, best, mean: means[best], lead: found ? found.difference : NaN, verdict: found ? (found.significant ? "yes" : "no") : "–" };
  });
}

function winnerColumns(measure) {
  return [
    { key: "attribute", title: "Attribute", value: (row) => row.attribute, cell: (row) => nameOf(row.attribute), text: true, first: "ascending" },
    { key: "group", title: "Group", value: (row) => row.group, cell: (row) => nameOf(row.group), text: true, heading: true, filtered: true, first: "ascending" },
    { key: "topics", title: "Topics", value: (row) => row.topics },
    { key: "best", title: "Best run", value: (row) => report.runs[row.best], cell: (row) => nameOf(report.runs[row.best]), text: true, first: "ascending" },
    { key: "mean", title: report.measures[measure], value: (row) => row.mean, digits: 4 },
    { key: "lead", title: "Lead", label: "Lead over the best run on all topics", value: (row) => row.lead, cell: (row) => (Number.isNaN(row.lead) ? "–" : formatSigned(row.lead)) },
    { key: "verdict", title: "Significant", value: (row) => row.verdict, text: true },
  ];
}

/** How groups were made. */
function groupNotes() {
  const told = GROUPS.attributes.filter((attribute) => attribute.about).map((attribute) => make("p", { class: "note" }, `${attribute.name}: ${attribute.about}.`));
  if (RUNS < 2) return [...told, sampleNote("Groups are")];
  const found = GROUPS.attributes.some((attribute) => attribute.found && attribute.name === "difficulty");
  if (found) told.push(make("p", { class: "note" }, "Hard and easy topics were found from these scores; where scores are low, there is little room for differences."));
  told.push(make("p", { class: "note" }, "Whether a difference depends on groups is tested for the two chosen runs; among many pairs, some will appear to depend on them by chance."));
  return [...told, sampleNote("Groups are")];
}

/** One run on each group: its means, with intervals that hold together. */
function startGroupsOfOne(measures) {
  const rows = (measure) => topicGroups().map((group) => {
    const values = group.places.filter((place) => knownOn(measure, 0, place)).map((place) => valueOf(measure, 0, place));
    const found = pairedTest(values, 0, GROUPS.quantiles);
    return { ...group, topics: values.length, mean: mean(values), low: found.low, high: found.high };
  });
  const columns = (measure) => [
    { key: "attribute", title: "Attribute", value: (row) => row.attribute, cell: (row) => nameOf(row.attribute), text: true, first: "ascending" },
    { key: "group", title: "Group", value: (row) => row.group, cell: (row) => nameOf(row.group), text: true, heading: true, filtered: true, first: "ascending" },
    { key: "topics", title: "Topics", value: (row) => row.topics },
    { key: "mean", title: report.measures[measure], value: (row) => row.mean, digits: 4 },
    { key: "low", title: "From", label: "Lower end of the interval", value: (row) => row.low, digits: 4 },
    { key: "high", title: "To", label: "Upper end of the interval", value: (row) => row.high, digits: 4 },
  ];
  const table = makeTable({ id: "group-table", caption: `${report.runs[0]} on each group`, columns: columns(measures.chosen), rows: rows(measures.chosen), sort: { key: null, direction: "none" } });
  measures.follow((measure) => table.choose(columns(measure), rows(measure)));
  bodyOf("groups").append(table.element, make("p", { class: "note" }, `Means of ${report.runs[0]} on groups of topics, with ${100 * report.level}% intervals that hold jointly for all groups.`), ...groupNotes());
}
