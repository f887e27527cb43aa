// The data of the page: read once, with its arrays unpacked.

const KINDS = { f4: Float32Array, f8: Float64Array, i4: Int32Array, u1: Uint8Array };

function unpack(packed) {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
  return new KINDS[packed.kind](bytes.buffer); // the bytes are little-endian, as machines are
}

function readReport() {
  const data = JSON.parse(document.getElementById("data").textContent);
  for (const name of ["counts", "values", "means", "low", "high", "quantiles"]) data[name] = unpack(data[name]);
  data.counted = data.counted && unpack(data.counted);
  data.differs = data.differs.map(unpack);
  data.explorer.triangles = unpack(data.explorer.triangles);
  for (const name of Object.keys(data.explorer.references)) {
    data.explorer.references[name] = unpack(data.explorer.references[name]);
  }
  for (const name of ["unjudged", "curve"]) data.coverage[name] = unpack(data.coverage[name]);
  return data;
}

const report = readReport();
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

/** Runs by their means, best first. */
function runsInOrder(measure) {
  return [...report.runs.keys()].sort((a, b) => descending(meanOf(measure, a), meanOf(measure, b)) || a - b);
}

/** Compare numbers for a sort, the greatest first and what is undefined last. */
function descending(a, b) {
  if (Number.isNaN(a)) return Number.isNaN(b) ? 0 : 1;
  return Number.isNaN(b) ? -1 : b - a;
}
