// GAP, xGAP and eGAP of all runs for any threshold probabilities, from pivot matrices.
//
// A[i, j], j <= i, holds for each run and topic the sum over documents of level i of 1/rank times
// the number of documents of at least level j at or above. Every measure is a weighted sum of it,
// with weights that depend on the topic and on g only.

const GRADED = ["GAP", "xGAP", "eGAP"];
const CELLS = (GRADES * (GRADES + 1)) / 2;

/** How many documents of each topic have at least each level, RB(1)..RB(c). */
const atLeast = (() => {
  const table = new Float64Array(TOPICS * GRADES);
  for (let topic = 0; topic < TOPICS; topic += 1) {
    let sum = 0;
    for (let level = GRADES; level >= 1; level -= 1) {
      sum += report.counts[topic * (GRADES + 1) + level];
      table[topic * GRADES + level - 1] = sum;
    }
  }
  return table;
})();

/** The weight of each cell of A for each topic, for the measures asked for. */
function pivotWeights(g, names) {
  const tables = names.map(() => new Float64Array(TOPICS * CELLS));
  for (let topic = 0; topic < TOPICS; topic += 1) {
    let expected = 0;
    for (let j = 0; j < GRADES; j += 1) expected += g[j] * atLeast[topic * GRADES + j];
    let line = 0; // G(i)
    let share = 0; // H(i)
    for (let i = 0, cell = topic * CELLS; i < GRADES; i += 1) {
      const base = atLeast[topic * GRADES + i];
      line += g[i];
      share += base > 0 ? g[i] / base : 0;
      for (let j = 0; j <= i; j += 1, cell += 1) {
        const below = atLeast[topic * GRADES + j];
        for (let index = 0; index < names.length; index += 1) {
          const name = names[index];
          if (name === "GAP") tables[index][cell] = expected > 0 ? g[j] / expected : 0;
          else if (name === "xGAP") tables[index][cell] = line > 0 ? (share / line) * g[j] : 0;
          else tables[index][cell] = below > 0 ? g[j] / below : 0;
        }
      }
    }
  }
  return tables;
}

/** The mean of a measure over topics for each run, from the weights of its cells. */
function weightedMeans(weights) {
  const cells = report.explorer.triangles;
  const size = TOPICS * CELLS;
  const means = new Float64Array(RUNS);
  for (let run = 0; run < RUNS; run += 1) {
    const start = run * size;
    let sum = 0;
    let number = TOPICS;
    if (!report.counted) {
      for (let cell = 0; cell < size; cell += 1) sum += cells[start + cell] * weights[cell];
    } else {
      number = 0;
      for (let topic = 0; topic < TOPICS; topic += 1) {
        if (!isCounted(run, topic)) continue;
        number += 1;
        for (let cell = topic * CELLS; cell < (topic + 1) * CELLS; cell += 1) sum += cells[start + cell] * weights[cell];
      }
    }
    means[run] = sum / number;
  }
  return means;
}

/** {GAP, xGAP, eGAP}: the mean of each for every run. */
function gradedMeans(g, names = GRADED) {
  return Object.fromEntries(pivotWeights(g, names).map((weights, index) => [names[index], weightedMeans(weights)]));
}

const PARTS = 10000; // probabilities are kept to 4 digits, so that what is shown is what is used

/** Move one probability to a value; the others share the rest in their proportions. */
function moveOnSimplex(g, moved, value) {
  const target = Math.round(Math.min(1, Math.max(0, value)) * PARTS);
  const others = g.map((share, index) => (index === moved ? 0 : share));
  const sum = others.reduce((total, share) => total + share, 0);
  const rest = PARTS - target;
  const wanted = others.map((share, index) => (index === moved ? 0 : sum > 0 ? (share / sum) * rest : rest / (g.length - 1)));
  const parts = roundToSum(wanted, rest, moved);
  parts[moved] = target;
  return parts.map((part) => part / PARTS);
}

/** Round numbers so that they keep their sum: the largest remainders are rounded up. */
function roundToSum(numbers, sum, except = -1) {
  const parts = numbers.map(Math.floor);
  const order = [...numbers.keys()].filter((index) => index !== except).sort((a, b) => numbers[b] - parts[b] - (numbers[a] - parts[a]));
  let left = sum - parts.reduce((total, part) => total + part, 0);
  for (const index of order) {
    if (left <= 0) break;
    parts[index] += 1;
    left -= 1;
  }
  return parts;
}

function equalShares() {
  return roundToSum(new Array(GRADES).fill(PARTS / GRADES), PARTS).map((part) => part / PARTS);
}

function thresholdText(g) {
  return `g=[${g.map((share) => String(share)).join(",")}]`;
}
