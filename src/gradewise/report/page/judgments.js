// How complete the judgments are, and how far complete judgments could change the result.

function startJudgments() {
  bodyOf("judgments").append(
    make("p", { class: "finding" }, judgedSentence()),
    make("div", { class: "columns" }, coverageFigure(), RUNS > 1 ? distanceTable() : null),
    coverageTable(),
  );
}

function judgedSentence() {
  const counts = report.judged.slice(1);
  const judged = report.judged.reduce((sum, number) => sum + number, 0);
  const parts = report.grades.map((grade, index) => `${counts[index].toLocaleString("en")} of grade ${grade}`);
  const relevant = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts[0] ?? "none relevant";
  return `${counted(judged, "document")} ${judged === 1 ? "is" : "are"} judged for ${counted(report.topic_count, "topic")}: ${relevant}.`;
}

/** The judged share of all runs by depth: the middle run, and the range of all. */
function coverageFigure() {
  const { curve, curve_depths: depths } = report.coverage;
  const [width, height, left] = [600, 260, 66];
  const x = scale(0, Math.log(Math.max(2, depths.at(-1))), left, width - 30);
  const y = scale(0, 1, height, 14);
  const columns = depths.map((_, index) => Float64Array.from(report.runs, (_name, run) => curve[run * depths.length + index]).sort());
  const at = (share) => columns.map((column, index) => [x(Math.log(depths[index])), y(column[Math.round(share * (column.length - 1))])]);
  const path = (points) => points.map((point) => point.map((value) => value.toFixed(1)).join(",")).join(" ");
  const [lowest, middle, highest] = [at(0), at(0.5), at(1)];
  const rules = [0, 0.25, 0.5, 0.75, 1].map((share) => [
    makeSvg("line", { x1: left, x2: width - 30, y1: y(share), y2: y(share), class: "grid" }),
    makeSvg("text", { x: left - 8, y: y(share) + 4, class: "tick", "text-anchor": "end" }, percent(share, 0)),
  ]);
  const marks = depths.filter((depth) => [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].includes(depth)).map((depth) => makeSvg("text", { x: x(Math.log(depth)), y: height + 16, class: "tick", "text-anchor": "middle" }, String(depth)));
  const label = `Share of judged documents by depth: for the median run ${depths.map((depth, index) => `${percent(columns[index][Math.round(0.5 * (RUNS - 1))], 0)} at depth ${depth}`).filter((_, index) => index % 4 === 0).join(", ")}`;
  return make(
    "figure",
    {},
    make("figcaption", {}, `Share of judged documents by depth${RUNS > 1 ? ": median run, and range over all runs" : ""}`),
    chart(width, height + 40, label, rules, makeSvg("polygon", { points: path([...lowest, ...highest.reverse()]), class: "band" }), makeSvg("polyline", { points: path(middle), class: "curve" }), marks, makeSvg("text", { x: (left + width) / 2, y: height + 34, class: "title", "text-anchor": "middle" }, "depth")),
  );
}

function distanceTable() {
  const found = report.distance;
  if (!found) return make("p", { class: "note" }, "Bounds on the lead of the best run were not computed.");
  const number = (key, title, label) => ({ key, title, label, value: (row) => row[key], digits: 4, cell: (row) => (key === "distance" ? format(row[key]) : formatSigned(row[key])) });
  const table = makeTable({
    id: "distance-table",
    caption: `Lead of ${found.best} in ${found.measure}`,
    columns: [
      { key: "run", title: "Over", value: (row) => row.run, cell: (row) => nameOf(row.run), text: true, heading: true, filtered: true, first: "ascending" },
      number("known", "Known", "Lead on judged documents"),
      number("low", "At least", "Lower bound of the lead with complete judgments"),
      number("high", "At most", "Upper bound of the lead with complete judgments"),
      number("distance", "MED", "Maximized effectiveness distance, mean over topics"),
    ],
    rows: found.rows,
    sort: { key: "known", direction: "ascending" },
  });
  const why = report.measures.includes(found.measure) ? "" : `The bounds are in ${found.measure}, not in ${report.measures[0]}: its gains and discounts do not depend on how many documents are relevant, so the bounds over all grades of unjudged documents are exact. `;
  const note = `${why}The runs are the best by ${report.measures[0]}.`;
  return make("div", {}, make("p", { class: "finding" }, boundsSentence(found)), table.element, make("p", { class: "note" }, note), sampleNote("The bounds are"));
}

/** Whether complete judgments could put other runs ahead of the best. */
function boundsSentence({ best, measure, rows }) {
  const open = rows.filter((row) => row.low < 0).length;
  const ahead = rows.filter((row) => row.known < 0).length;
  const next = rows.length === 1 ? rows[0].run : `the next ${counted(rows.length, "run")}`;
  if (!open) return `${best} stays ahead of ${next} in ${measure}, whatever the grades of the unjudged documents.`;
  const known = rows.length === 1 ? `it is${ahead ? "" : " not"}` : `${ahead || "none"} of them ${ahead > 1 ? "are" : "is"}`;
  return `With complete judgments, ${rows.length === 1 ? next : `${open} of ${next}`} could be ahead of ${best} in ${measure}; on judged documents alone, ${known}.`;
}

function coverageTable() {
  const { depths, unjudged, matched, missing, extra } = report.coverage;
  const shares = depths.map((depth, index) => ({
    key: `u${depth}`,
    title: `Unjudged@${depth}`,
    value: (row) => unjudged[row.run * depths.length + index],
    cell: (row) => percent(unjudged[row.run * depths.length + index]),
    digits: 4,
  }));
  const table = makeTable({
    id: "coverage-table",
    caption: "Coverage of runs by judgments",
    columns: [
      { key: "run", title: "Run", value: (row) => row.name, cell: (row) => nameOf(row.name), text: true, heading: true, filtered: true, first: "ascending" },
      ...shares,
      { key: "matched", title: "Topics", label: "Judged topics in the run", value: (row) => matched[row.run] },
      { key: "missing", title: "Missing", label: "Judged topics missing from the run", value: (row) => missing[row.run] },
      { key: "extra", title: "Extra", label: "Topics of the run without judgments", value: (row) => extra[row.run] },
    ],
    rows: report.runs.map((name, run) => ({ name, run })),
    sort: { key: `u${depths[1]}`, direction: "descending" },
    limit: 10,
  });
  return table.element;
}
