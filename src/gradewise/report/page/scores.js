// A report on one run: its scores by all measures.

function startScores() {
  document.getElementById("leaderboard-title").textContent = "Scores";
  document.querySelector('nav a[href="#leaderboard"]').textContent = "Scores";
  const values = (measure) => [...report.topics.keys()].map((topic) => valueOf(measure, 0, topic)).filter((value) => !Number.isNaN(value)).sort((a, b) => a - b);
  const rows = report.measures.map((name, measure) => ({ name, measure, values: values(measure) }));
  const at = (key, title, share) => ({ key, title, value: (row) => (row.values.length ? row.values[Math.round(share * (row.values.length - 1))] : NaN), digits: 4 });
  const table = makeTable({
    id: "score-table",
    caption: "Scores by all measures",
    columns: [
      { key: "measure", title: "Measure", value: (row) => row.name, text: true, heading: true, filtered: true, first: "ascending" },
      { key: "mean", title: "Mean", value: (row) => meanOf(row.measure, 0), digits: 4 },
      { key: "low", title: `${100 * report.level}% interval from`, value: (row) => report.low[row.measure], digits: 4 },
      { key: "high", title: "to", label: `${100 * report.level}% interval to`, value: (row) => report.high[row.measure], digits: 4 },
      at("lowest", "Lowest topic", 0),
      at("median", "Median topic", 0.5),
      at("highest", "Highest topic", 1),
    ],
    rows,
    sort: { key: null, direction: "none" },
  });
  bodyOf("leaderboard").append(table.element, sampleNote("Lowest, median and highest are"));
}
