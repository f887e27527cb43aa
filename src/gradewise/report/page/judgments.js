// How complete the judgments are, and how far complete judgments could change the result.

function startJudgments() {
  bodyOf("judgments").append(
    make("p", { class: "finding" }, judgedSentence()),
    make("div", { class: "columns" }, coverageFigure(), distanceTable()),
    coverageTable(),
  );
}

function judgedSentence() {
  const counts = report.grades.map(() => 0);
  let judged = 0;
  for (let topic = 0; topic < TOPICS; topic += 1) {
    for (let level = 0; level <= GRADES; level += 1) {
      const number = report.counts[topic * (GRADES + 1) + level];
      judged += number;
      if (level) counts[level - 1] += number;
    }
  }
  const parts = report.grades.map((grade, index) => `${counts[index].toLocaleString("en")} of grade ${grade}`);
  const relevant = parts.length > 1 ? `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}` : parts[0] ?? "none relevant";
  return `${counted(judged, "document")} ${judged === 1 ? "is" : "are"} judged for ${counted(TOPICS, "topic")}: ${relevant}.`;
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
    make("figcaption", {}, "Share of judged documents by depth: median run, and range over all runs"),
    chart(width, height + 40, label, rules, makeSvg("polygon", { points: path([...lowest, ...highest.reverse()]), class: "band" }), makeSvg("polyline", { points: path(middle), class: "curve" }), marks, makeSvg("text", { x: (left + width) / 2, y: height + 34, class: "title", "text-anchor": "middle" }, "depth")),
  );
}

function distanceTable() {
  const found = report.distance;
  if (!found) return make("p", { class: "note" }, "Bounds on the lead of the best run were not computed.");
  const open = found.rows.filter((row) => row.low < 0).length;
  const ahead = found.rows.filter((row) => row.known < 0).length;
  const sentence = open
    ? `With complete judgments, ${open} of the next ${counted(found.rows.length, "run")} could be ahead of ${found.best} in ${found.measure}; on judged documents alone, ${ahead || "none"} of them ${ahead > 1 ? "are" : "is"}.`
    : `${found.best} stays ahead of the next ${counted(found.rows.length, "run")} in ${found.measure}, whatever the grades of the unjudged documents.`;
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
  return make("div", {}, make("p", { class: "finding" }, sentence), table.element);
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
    limit: 20,
  });
  return table.element;
}
