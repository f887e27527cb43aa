// Head to head: any two runs, topic by topic.

const TOPICS_DRAWN = 80;

function startPairs(measures) {
  const result = make("div", { id: "pair-result" });
  const choose = (side) => chooser(`pair-${side}`, side === "a" ? "Compare" : "with", report.runs, pairing[side], (run) => {
    pairing.choose(...(side === "a" ? [run, pairing.b] : [pairing.a, run]));
    announce(result.querySelector("p").textContent);
  });
  const [first, second] = [choose("a"), choose("b")];
  const swap = button("Swap", () => pairing.choose(pairing.b, pairing.a));
  const refresh = () => {
    first.select.value = String(pairing.a);
    second.select.value = String(pairing.b);
    result.replaceChildren(...pairParts({ measure: measures.chosen, a: pairing.a, b: pairing.b }));
  };
  measures.follow(refresh);
  pairing.follow(refresh);
  refresh();
  bodyOf("pairs").append(make("div", { class: "controls" }, first.element, second.element, swap), sampleNote("Differences, intervals and figures are", " The means of runs, and whether they differ significantly, are those of all topics."), result);
}

function pairRows({ measure, a, b }) {
  const rows = [];
  report.topics.forEach((topic, place) => {
    const [left, right] = [valueOf(measure, a, place), valueOf(measure, b, place)];
    if (isCounted(a, place) && isCounted(b, place) && !Number.isNaN(left - right)) {
      rows.push({ topic, a: left, b: right, difference: left - right });
    }
  });
  const largest = largestValue(rows);
  for (const row of rows) row.difference = unlessNoise(row.difference, largest);
  return rows.sort((one, other) => other.difference - one.difference);
}

/** The largest value of two runs, to which the noise of their differences is relative. */
function largestValue(rows) {
  return rows.reduce((largest, { a, b }) => Math.max(largest, Math.abs(a), Math.abs(b)), 0);
}

function pairParts(state) {
  const rows = pairRows(state);
  const [a, b] = [report.runs[state.a], report.runs[state.b]];
  const found = pairedTest(rows.map((row) => row.difference), largestValue(rows));
  const measure = report.measures[state.measure];
  return [
    make("p", { class: "finding" }, pairSentence(state, rows, found)),
    make("div", { class: "columns" }, pairFigure(rows, a, b, measure), make("div", {}, pairNumbers(state, rows, found), histogram(rows, a, b, measure))),
    make("details", {}, make("summary", {}, "All topics as a table"), pairTable(rows, a, b)),
  ];
}

function pairSentence(state, rows, found) {
  const { measure, a, b } = state;
  const [first, second] = [report.runs[a], report.runs[b]];
  if (a === b) return "These are the same run.";
  const sign = signOf(measure);
  const wins = rows.filter((row) => sign * row.difference > 0).length;
  const side = sign * found.mean > 0 ? "ahead of" : sign * found.mean < 0 ? "behind" : "level with";
  const real = differ(measure, a, b) ? "the difference is significant" : "the difference is not significant";
  return `${first} is ${side} ${second}${found.mean ? ` by ${format(Math.abs(found.mean), 4)}` : ""} in ${report.measures[measure]} and better on ${wins} of ${counted(rows.length, "topic")}; ${RUNS > 2 ? `after correction for ${report.made.pairs}, ` : ""}${real}.`;
}

function pairNumbers({ measure, a, b }, rows, found) {
  const count = (test) => rows.filter((row) => test(signOf(measure) * row.difference)).length;
  const entries = [
    [`Mean of ${report.runs[a]}`, format(meanOf(measure, a))],
    [`Mean of ${report.runs[b]}`, format(meanOf(measure, b))],
    ["Difference", formatSigned(found.mean)],
    [`${100 * report.level}% confidence interval`, `${formatSigned(found.low)} to ${formatSigned(found.high)}`],
    ["Effect size (Cohen's d)", formatSigned(found.effect, 2)],
    ["Topics won, tied, lost", `${count((d) => d > 0)}, ${count((d) => d === 0)}, ${count((d) => d < 0)}`],
    [RUNS > 2 ? "p-value, uncorrected" : "p-value", formatP(found.p)],
    [RUNS > 2 ? "Significant after correction" : "Significant", a === b ? "–" : differ(measure, a, b) ? "yes" : "no"],
  ];
  return make("dl", { class: "numbers" }, entries.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value))));
}

/** Each topic as two dots and the line between them, the greatest win first. */
function pairFigure(rows, a, b, measure) {
  const half = TOPICS_DRAWN / 2;
  const drawn = rows.length > TOPICS_DRAWN ? [...rows.slice(0, half), ...rows.slice(-half)] : rows;
  const [left, step, width] = [100, 18, 600];
  const highest = Math.max(1e-9, ...drawn.flatMap((row) => [row.a, row.b]));
  const lowest = Math.min(0, ...drawn.flatMap((row) => [row.a, row.b]));
  const x = scale(lowest, highest, left, width - 14);
  const bottom = 24 + step * drawn.length;
  const lines = drawn.map((row, place) => {
    const y = 32 + step * place - step / 2;
    const side = row.difference > 0 ? "first" : row.difference < 0 ? "second" : "even";
    return titled(
      makeSvg(
        "g",
        {},
        topicLabel(row.topic, left - 10, y + 4),
        makeSvg("line", { x1: x(row.a), x2: x(row.b), y1: y, y2: y, class: `link ${side}` }),
        makeSvg("circle", { cx: x(row.b), cy: y, r: 4, class: "second" }),
        makeSvg("circle", { cx: x(row.a), cy: y, r: 4, class: "first" }),
      ),
      `${row.topic}: ${a} ${format(row.a)}, ${b} ${format(row.b)}`,
    );
  });
  const note = rows.length > TOPICS_DRAWN ? make("p", { class: "note" }, `The ${half} topics with the largest lead of each run, of ${rows.length}.`) : null;
  return make(
    "figure",
    {},
    make("figcaption", {}, make("span", { class: "key first" }, nameOf(a)), make("span", { class: "key second" }, nameOf(b))),
    chart(width, bottom + 40, `${measure} of both runs on each topic, ordered by the difference`, axis(x, ticks(lowest, highest), 18, bottom, measure), lines),
    note,
  );
}

/** The name of a topic in a figure, which leads to its rankings; a table has the same links. */
function topicLabel(topic, x, y) {
  return makeSvg("text", { x, y, class: "tick linked", "text-anchor": "end", onclick: () => address.go({ section: "topic", topic }) }, shortened(topic, 12));
}

/** How many topics have which difference. */
function histogram(rows, a, b, measure) {
  const largest = Math.max(1e-9, ...rows.map((row) => Math.abs(row.difference)));
  const bins = 20;
  const counts = new Array(bins).fill(0);
  for (const row of rows) counts[Math.min(bins - 1, Math.floor(((row.difference + largest) / (2 * largest)) * bins))] += 1;
  const [width, height] = [460, 150];
  const x = scale(-largest, largest, 14, width - 14);
  const y = scale(0, Math.max(1, ...counts), height, 10);
  const bars = counts.map((count, bin) => {
    const from = x(-largest + (2 * largest * bin) / bins);
    const to = x(-largest + (2 * largest * (bin + 1)) / bins);
    return titled(makeSvg("rect", { x: from + 0.5, width: to - from - 1, y: y(count), height: height - y(count), class: bin < bins / 2 ? "second" : "first" }), counted(count, "topic"));
  });
  return make(
    "figure",
    {},
    chart(width, height + 40, `Histogram of differences over topics, from ${format(-largest, 2)} to ${format(largest, 2)}`, axis(x, ticks(-largest, largest), 10, height, `${measure}, difference`), bars),
  );
}

function pairTable(rows, a, b) {
  return makeTable({
    id: "pair-table",
    caption: "Both runs on each topic",
    columns: [
      { key: "topic", title: "Topic", value: (row) => row.topic, cell: (row) => topicLink(row.topic), text: true, heading: true, filtered: true, first: "ascending" },
      { key: "a", title: a, value: (row) => row.a, digits: 4 },
      { key: "b", title: b, value: (row) => row.b, digits: 4 },
      { key: "difference", title: "Difference", value: (row) => row.difference, digits: 4 },
    ],
    rows,
    sort: { key: "difference", direction: "descending" },
  }).element;
}
