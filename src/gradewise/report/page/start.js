// The measure that the page is about, and the start of every section.

const measures = {
  chosen: 0,
  followers: [],
  follow(follower) {
    this.followers.push(follower);
  },
  choose(measure) {
    if (measure === this.chosen) return;
    this.chosen = measure;
    measureSelect.value = String(measure);
    for (const follower of this.followers) follower(measure);
    announce(`All sections now show ${report.measures[measure]}`);
  },
};

/** The measure that the address names, or the first. */
function addressedMeasure() {
  return Math.max(0, report.measures.indexOf(address.get("measure")));
}

const measureSelect = document.getElementById("measure");
measureSelect.append(...report.measures.map((name, place) => make("option", { value: place }, name)));
measureSelect.addEventListener("change", () => {
  const measure = Number(measureSelect.value);
  address.set({ measure: measure ? report.measures[measure] : null });
  measures.choose(measure);
});
measures.chosen = addressedMeasure();
measureSelect.value = String(measures.chosen); // a browser may remember what was chosen before a reload
address.follow(() => measures.choose(addressedMeasure()));

document.getElementById("facts").append(
  ...[
    counted(RUNS, "run"),
    counted(report.topic_count, "topic"),
    counted(report.measures.length, "measure"),
    ...(report.counts ? [`grades ${[0, ...report.grades].join(", ")}`] : []),
  ].map((fact) => make("span", {}, fact)),
);

for (const [section, there] of [
  ["pairs", RUNS > 1],
  ["topic", report.drill],
  ["explorer", report.explorer],
  ["agreement", RUNS > 2 && report.measures.length > 1],
  ["judgments", report.coverage],
  ["judges", report.judges],
]) {
  document.getElementById(section).hidden = !there;
  document.querySelector(`nav a[href="#${section}"]`).parentElement.hidden = !there;
}

startPairing(measures);
startVerdict(measures);
if (RUNS > 1) startLeaderboard(measures);
else startScores();
if (RUNS > 1) startPairs(measures);
startTopics(measures);
if (report.drill) startDrill(measures);
if (report.explorer) startExplorer();
if (RUNS > 2 && report.measures.length > 1) startAgreement();
if (report.coverage) startJudgments();
if (report.judges) startJudges(measures);
startGroups(measures);
startHistory(measures);
startMaking();
