// The verdict: who is best, whether that is certain, and what to do next.

const MEMBERS_NAMED = 6;
const ANSWERS = { steady: ["✓", "steady"], shaky: ["!", "depends"], unknown: ["?", "unknown"] };

function startVerdict(measures) {
  const card = make("div", { class: "card" });
  const refresh = () => card.replaceChildren(...verdictParts(measures.chosen));
  measures.follow(refresh);
  refresh();
  bodyOf("verdict").append(card);
}

function verdictParts(measure) {
  const found = report.verdicts[measure];
  return [
    make("div", { class: "who" }, make("h3", {}, RUNS > 1 ? "Which run is best?" : "How good is the run?"), whoParts(measure, found)),
    make("div", { class: "real" }, make("h3", {}, RUNS > 1 ? "Is the lead real?" : "How sure is that?"), RUNS > 1 ? realParts(measure, found) : aloneParts(measure, found)),
    make("div", { class: `next ${found.step.kind}` }, make("h3", {}, "What next?"), make("p", { class: "answer" }, found.step.title), make("p", {}, found.step.text), found.step.command ? make("pre", {}, make("code", {}, found.step.command)) : null),
    dependsList(found),
  ].filter(Boolean);
}

function meanText(measure, run) {
  const place = measure * RUNS + run;
  const value = `${report.measures[measure]} ${format(meanOf(measure, run), 3)}`;
  if (report.compared[measure] < 2) return value;
  return `${value} (${100 * report.level}% confidence interval ${format(report.low[place], 3)} to ${format(report.high[place], 3)})`;
}

function whoParts(measure, found) {
  const where = RUNS > 1 ? `, the ${RUNS > 2 ? "best" : "better"} mean of ${counted(RUNS, "run")} on ${counted(report.topic_count, "topic")}.` : ` on ${counted(report.topic_count, "topic")}.`;
  return [
    make("p", { class: "answer winner" }, nameOf(report.runs[found.best])),
    make("p", {}, `${meanText(measure, found.best)}${where}`),
    ...(found.alike.length && report.compared[measure] > 1 ? tierParts(measure, found) : []),
  ];
}

/** The runs that cannot be told from the best, each a link to the comparison with it. */
function tierParts(measure, { best, alike }) {
  const links = alike.slice(0, MEMBERS_NAMED).map((run) => make("li", {}, stateLink({ section: "pairs", runs: [report.runs[best], report.runs[run]] }, nameOf(report.runs[run]))));
  const more = alike.length - links.length;
  if (more) links.push(make("li", {}, stateLink({ section: "leaderboard" }, `${more.toLocaleString("en")} more`)));
  return [make("p", { class: "lead-in" }, `Not significantly worse: ${counted(alike.length, "other run")}`), make("ul", { class: "chips" }, links)];
}

function realParts(measure, found) {
  const others = RUNS - 1;
  const tested = report.compared[measure] > 1;
  const answer = !tested
    ? "Cannot be tested"
    : found.alike.length === 0
      ? `Yes: significantly better than ${others === 1 ? "the other run" : `all ${others.toLocaleString("en")} other runs`}`
      : others === 1 && isSame(found)
        ? "There is none: the runs are equal on every topic"
        : found.alike.length === others
          ? "Not shown: the lead could be due to the choice of topics"
          : `Not settled: ${found.alike.length.toLocaleString("en")} of ${counted(others, "other run")} may be as good`;
  return [make("p", { class: "answer" }, answer), ...leadParts(measure, found)];
}

/** Whether the best run and the next have the same values on all topics. */
function isSame({ lead }) {
  return lead.every((value) => value === 0);
}

/** The lead over the next run, with its interval, and the test behind the answer. */
function leadParts(measure, { second, lead }) {
  const [value, low, high] = lead;
  if (value === null) return [];
  const next = report.runs[second];
  if (low === null) return [make("p", {}, "Its lead over ", nameOf(next), ` is ${format(value)} on one topic.`)];
  const test = RUNS > 2 ? `paired t-tests on ${counted(report.compared[measure], "topic")}, Holm's correction over ${report.made.pairs}, alpha ${report.alpha}` : `paired t-test on ${counted(report.compared[measure], "topic")}, alpha ${report.alpha}`;
  const evidence = make("p", { class: "note" }, `Evidence: ${test}.`);
  if (isSame({ lead })) return [make("p", {}, "It has the same value as ", nameOf(next), " on every topic."), evidence];
  return [
    make("p", {}, "Its lead over ", nameOf(next), `${RUNS > 2 ? ", the next best," : ""} is ${format(value)} (${100 * report.level}% confidence interval ${format(low)} to ${format(high)}).`),
    leadBar(value, low, high),
    evidence,
  ];
}

/** The interval of the lead on an axis with 0. */
function leadBar(value, low, high) {
  const [width, left, right] = [360, 12, 348];
  const ends = [Math.min(0, low), Math.max(0, high)];
  const x = scale(...ends, left, right);
  const marks = ticks(...ends, 4).map((tick) => [
    makeSvg("line", { x1: x(tick), x2: x(tick), y1: 4, y2: 26, class: tick === 0 ? "zero" : "grid" }),
    makeSvg("text", { x: x(tick), y: 42, class: "tick", "text-anchor": "middle" }, tickText(tick)),
  ]);
  return make(
    "figure",
    { class: "lead" },
    chart(width, 48, `The interval for the lead ${low <= 0 ? "includes" : "excludes"} 0`, marks, makeSvg("line", { x1: x(low), x2: x(high), y1: 15, y2: 15, class: "link first" }), makeSvg("circle", { cx: x(value), cy: 15, r: 5, class: "first" })),
  );
}

function dependsList({ depends }) {
  const titles = { measure: "Measure", threshold: "Relevance threshold", judgments: "Judgments" };
  const items = depends.map(({ on, steady, text }) => {
    const kind = steady === null ? "unknown" : steady ? "steady" : "shaky";
    const [sign, word] = ANSWERS[kind];
    return make("li", { class: kind }, make("span", { class: "sign", role: "img", "aria-label": word }, sign), make("span", {}, make("strong", {}, `${titles[on]}: `), text));
  });
  return items.length ? make("ul", { class: "depends", "aria-label": "What the answer depends on" }, items) : null;
}

/** What can be said of one run: how wide its interval is, where it fails, what is unjudged. */
function aloneParts(measure, found) {
  const place = measure * RUNS + found.best;
  const topics = report.compared[measure];
  const half = (report.high[place] - report.low[place]) / 2;
  const width = topics > 1 ? `Within ±${format(half, 3)} on other topics like these` : "Not at all: there is only one topic";
  const values = report.topics.map((topic, index) => ({ topic, value: valueOf(measure, found.best, index) })).filter(({ value }) => !Number.isNaN(value));
  const sign = signOf(measure);
  const worst = [...values].sort((one, other) => sign * (one.value - other.value)).slice(0, 3);
  const zero = values.filter(({ value }) => value === 0).length;
  return [
    make("p", { class: "answer" }, width),
    topics > 1 ? make("p", {}, `Halving the interval takes about ${(4 * topics).toLocaleString("en")} topics; there are ${topics.toLocaleString("en")}.`) : null,
    make("p", {}, "Worst topics: ", worst.flatMap(({ topic, value }, index) => [index ? ", " : "", stateLink({ section: "topic", topic }, nameOf(topic)), ` (${format(value, 3)})`]), zero ? `; ${counted(zero, "topic")} of ${values.length.toLocaleString("en")} ${zero === 1 ? "scores" : "score"} 0.` : "."),
  ];
}
