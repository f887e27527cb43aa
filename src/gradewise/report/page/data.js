// The data of the view that is shown, which is called `report`.

const RUNS = report.runs.length;
const TOPICS = report.topics.length;
const GRADES = report.grades.length;

/** The value of a measure for a run on a topic; NaN where it is undefined. */
function valueOf(measure, run, topic) {
  return report.values[(measure * RUNS + run) * TOPICS + topic];
}

function meanOf(measure, run) {
  return report.means[measure * RUNS + run];
}

function isCounted(run, topic) {
  return !report.counted || report.counted[run * TOPICS + topic] === 1;
}

/** Whether two runs differ significantly by a measure, after the correction for all pairs. */
function differ(measure, a, b) {
  if (a === b) return false;
  const [first, second] = a < b ? [a, b] : [b, a];
  const place = first * RUNS - (first * (first + 1)) / 2 + second - first - 1;
  return ((report.differs[measure][place >> 3] >> (7 - (place & 7))) & 1) === 1;
}

/** 1, or -1 for a measure of which less is better. */
function signOf(measure) {
  return report.lower[measure] ? -1 : 1;
}

/** Runs by their means, best first. */
function runsInOrder(measure) {
  const sign = signOf(measure);
  return [...report.runs.keys()].sort((a, b) => descending(sign * meanOf(measure, a), sign * meanOf(measure, b)) || a - b);
}

/** The direction of a sort that puts the best run first. */
function bestFirst(measure) {
  return report.lower[measure] ? "ascending" : "descending";
}

function worstFirst(measure) {
  return report.lower[measure] ? "descending" : "ascending";
}

/** Compare numbers for a sort, the greatest first and what is undefined last. */
function descending(a, b) {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  return Number.isNaN(b) ? -1 : b - a;
}
