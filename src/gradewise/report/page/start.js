// The measure that the page is about, and the start of every section.

const measures = {
  chosen: 0,
  followers: [],
  follow(follower) {
    this.followers.push(follower);
  },
  choose(measure) {
    this.chosen = measure;
    for (const follower of this.followers) follower(measure);
    announce(`All sections now show ${report.measures[measure]}`);
  },
};

const measureSelect = document.getElementById("measure");
measureSelect.append(...report.measures.map((name, place) => make("option", { value: place }, name)));
measureSelect.addEventListener("change", () => measures.choose(Number(measureSelect.value)));
measureSelect.value = "0"; // a browser may remember what was chosen before a reload

document.getElementById("facts").append(
  ...[counted(RUNS, "run"), counted(TOPICS, "topic"), counted(report.measures.length, "measure"), `grades ${[0, ...report.grades].join(", ")}`].map((fact) => make("span", {}, fact)),
);

startLeaderboard(measures);
startPairs(measures);
startTopics(measures);
startExplorer();
startAgreement();
startJudgments();
startMaking();
