// What each document of a list adds to a measure, and what a swap of two documents would change.
//
// A list is items of { rank, level, doc }, in order. Terms are those that Python checked: a pivot
// measure adds d(n) Σ K(level, level above) at rank n, a cascade measure the chance that a user
// stops there times a discount, others a gain times a discount.

const UNJUDGED = 255;

/** The lists and terms of the page, once they are read; null if there are none. */
function readDrill() {
  const data = drill.read;
  if (!data.places) {
    data.places = new Map(data.topics.map((topic, place) => [topic, place]));
    data.rows = new Map(data.runs.map((run, place) => [run, place]));
    data.deepRows = new Map(data.deep.map((run, place) => [run, place]));
  }
  return data;
}

/** The documents of a run for a topic (a place in the drill's topics), as far as they are known. */
function listOf(data, run, topic) {
  const row = data.rows.get(run);
  if (row === undefined) return null;
  const start = (topic * data.runs.length + row) * data.depth;
  const items = [];
  for (let place = 0; place < data.depth; place += 1) {
    const doc = data.docs[start + place];
    if (doc) items.push(itemOf(data, topic, place + 1, doc));
  }
  const kept = data.condensed ? items.filter((item) => item.level !== UNJUDGED) : items;
  if (data.condensed) kept.forEach((item, place) => { item.rank = place + 1; });
  const deep = data.deepRows.get(run);
  if (deep !== undefined) {
    const { below } = data; // run, topic, rank and document, one after the other
    for (let at = 0; at < below.length; at += 4) {
      if (below[at] === deep && below[at + 1] === topic) kept.push(itemOf(data, topic, below[at + 2], below[at + 3]));
    }
  }
  return { items: kept.sort((one, other) => one.rank - other.rank), whole: deep !== undefined };
}

function itemOf(data, topic, rank, doc) {
  const place = data.first[topic] + doc - 1;
  const number = data.document[place];
  return { rank, doc, level: data.level[place], name: data.names[number], title: data.titles?.[number] ?? "" };
}

/** What each item adds to a measure on a topic. */
function contributionsOf(items, terms, topic) {
  const [table, discounts] = [terms.table, terms.discount].map((each) => each[each.length > 1 ? topic : 0]);
  const above = new Float64Array(GRADES + 1); // documents of each level at or above
  let left = 1; // users who have not stopped yet
  return items.map(({ rank, level }) => {
    const own = level === UNJUDGED ? 0 : level;
    const discount = discounts[rank - 1] ?? 0;
    if (own === 0) return 0;
    if (terms.kind === "gain") return table[own] * discount;
    if (terms.kind === "cascade") {
      const stopping = left * table[own];
      left -= stopping;
      return stopping * discount;
    }
    above[own] += 1;
    let sum = 0;
    for (let other = 1; other <= GRADES; other += 1) sum += table[own][other] * above[other];
    return sum * discount;
  });
}

/** The change of the measure if two items changed places. */
function swapDelta(items, terms, topic, one, other) {
  const swapped = items.map((item) => ({ ...item }));
  [swapped[one].level, swapped[other].level] = [swapped[other].level, swapped[one].level];
  return total(contributionsOf(swapped, terms, topic)) - total(contributionsOf(items, terms, topic));
}

function total(numbers) {
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** Read the compressed part of the page; it is not needed before somebody asks why. */
async function inflate(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}
