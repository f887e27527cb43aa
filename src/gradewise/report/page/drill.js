// One topic, two rankings: what both runs retrieved, and which documents make the difference.

function startDrill(measures) {
  document.getElementById("topic-title").textContent = RUNS > 1 ? "One topic, two rankings" : "One topic";
  const state = { topic: null, swap: { a: 0, b: 0 }, deep: false };
  const result = make("div", { id: "drill" }, make("p", { class: "note" }, "Reading the rankings …"));
  const topicChoice = chooser("drill-topic", "Topic", report.topics, 0, (place) => {
    address.set({ topic: report.topics[place] });
    refresh();
  });
  const steps = [button("Previous", () => step(-1)), button("Next", () => step(1))];
  const runChoices = RUNS > 1 ? [["a", "Ranking of"], ["b", "beside that of"]].map(([side, label]) => chooser(`drill-${side}`, label, report.runs, pairing[side], (run) => pairing.choose(...(side === "a" ? [run, pairing.b] : [pairing.a, run])))) : [];

  function step(by) {
    const place = (Number(topicChoice.select.value) + by + TOPICS) % TOPICS;
    address.set({ topic: report.topics[place] });
    refresh();
  }

  function refresh() {
    const named = report.topics.indexOf(address.get("topic"));
    state.topic = named >= 0 ? named : mostTelling(measures.chosen);
    state.swap = { a: 0, b: 0 };
    topicChoice.select.value = String(state.topic);
    runChoices.forEach((choice, side) => { choice.select.value = String(side ? pairing.b : pairing.a); });
    if (drill.read) show();
  }

  function show() {
    result.replaceChildren(...drillParts(state, measures.chosen, onswap, onmore));
  }

  function onswap(side, place) {
    state.swap[side] = place;
    show();
    result.querySelector(`[data-side="${side}"] tbody tr:nth-child(${place + 1}) button`)?.focus();
  }

  function onmore() {
    state.deep = !state.deep;
    show();
    result.querySelector(".more-deep")?.focus();
  }

  measures.follow(refresh);
  pairing.follow(refresh);
  address.follow(refresh);
  bodyOf("topic").append(make("div", { class: "controls" }, topicChoice.element, ...steps, ...runChoices.map((choice) => choice.element)), result);
  refresh();
  (drill.read ? Promise.resolve(drill.read) : inflate(report.drill)).then((data) => {
    drill.read = data;
    readDrill();
    data.terms.forEach((terms) => { if (terms && !Array.isArray(terms.discount)) terms.discount = data.discounts[terms.discount]; });
    show();
  }, () => {
    result.replaceChildren(make("p", { class: "warning" }, "This browser cannot decompress the rankings. Open the report in a newer browser to see them."));
  });
}

/** The topic on which the two runs differ most, or on which a single run is worst. */
function mostTelling(measure) {
  const sign = signOf(measure);
  let [best, found] = [0, -Infinity];
  for (let topic = 0; topic < TOPICS; topic += 1) {
    const value = RUNS > 1 ? Math.abs(valueOf(measure, pairing.a, topic) - valueOf(measure, pairing.b, topic)) : -sign * valueOf(measure, 0, topic);
    if (value > found) [best, found] = [topic, value];
  }
  return best;
}

function drillParts(state, measure, onswap, onmore) {
  const data = readDrill();
  const topic = data.places.get(report.topics[state.topic]);
  if (topic === undefined) return [make("p", { class: "note" }, "This page does not include the rankings of this topic.")];
  const sides = (RUNS > 1 ? ["a", "b"] : ["a"]).map((side) => sideOf(data, side, state, topic, measure));
  const missing = sides.filter((side) => !side.list);
  if (missing.length) {
    return [queryPart(data, topic), make("p", { class: "note" }, "This page includes the rankings of the best ", `${counted(data.runs.length, "run")} only, and none of `, nameOf(report.runs[missing[0].run]), ".")];
  }
  const terms = data.terms[measure];
  return [
    queryPart(data, topic),
    make("p", { class: "finding" }, drillSentence(sides, measure, terms)),
    terms && sides.length > 1 ? differenceTable(sides, measure) : null,
    make("div", { class: "rankings" }, sides.map((side) => rankingPart(data, side, sides, measure, terms, topic, state.deep, onswap))),
    sides.some((side) => side.list.items.some((item) => item.rank > data.depth)) ? make("div", { class: "below" }, button(state.deep ? `Show the first ${data.depth}` : `Show relevant documents below rank ${data.depth}`, onmore, { class: "more-deep" })) : null,
    make("p", { class: "note" }, drillNote(data, measure, terms)),
  ].filter(Boolean);
}

/** What a run retrieved, and what each document adds. */
function sideOf(data, side, state, topic, measure) {
  const run = RUNS > 1 ? pairing[side] : 0;
  const list = listOf(data, run, topic);
  const value = valueOf(measure, run, state.topic);
  const terms = data.terms[measure];
  const parts = list && terms ? contributionsOf(list.items, terms, topic) : null;
  const rest = parts && !list.whole ? value - total(parts) : 0;
  return { side, run, list, value, parts, rest: Math.abs(rest) < SAME ? 0 : rest, swap: state.swap[side] };
}

function queryPart(data, topic) {
  const query = data.queries[topic];
  if (!query) return null;
  const [title, text] = query;
  return make("blockquote", { class: "query" }, make("p", { class: "answer" }, make("bdi", {}, title)), text ? make("p", { class: "note" }, make("bdi", {}, text)) : null);
}

function drillSentence(sides, measure, terms) {
  const name = report.measures[measure];
  const [a, b] = sides;
  if (!b) return `${report.runs[a.run]} scores ${format(a.value)} in ${name} on this topic.`;
  const scores = `${name} on this topic: ${report.runs[a.run]} ${format(a.value)}, ${report.runs[b.run]} ${format(b.value)}, difference ${formatSigned(a.value - b.value)}.`;
  if (!terms) return scores;
  const rows = differenceRows(sides).filter((row) => row.difference);
  if (!rows.length) return scores;
  const top = rows.slice(0, 3).map((row) => `${row.name} (${formatSigned(row.difference, 3)})`);
  return `${scores} The documents that contribute most: ${top.join(", ")}.`;
}

/** Every document that adds to either list, with what it adds to each. */
function differenceRows([a, b]) {
  const rows = new Map();
  for (const [key, side] of [["a", a], ["b", b]]) {
    side.list.items.forEach((item, place) => {
      if (!rows.has(item.doc)) rows.set(item.doc, { ...item, a: 0, b: 0, rankA: NaN, rankB: NaN });
      const row = rows.get(item.doc);
      row[key] = side.parts[place];
      row[key === "a" ? "rankA" : "rankB"] = item.rank;
    });
  }
  const found = [...rows.values()].filter((row) => row.a || row.b);
  if (a.rest || b.rest) found.push({ name: "documents further down", title: "", level: null, rankA: NaN, rankB: NaN, a: a.rest, b: b.rest, rest: true });
  for (const row of found) row.difference = row.a - row.b;
  return found.sort((one, other) => Math.abs(other.difference) - Math.abs(one.difference));
}

function differenceTable(sides, measure) {
  const [a, b] = sides.map((side) => report.runs[side.run]);
  const rows = differenceRows(sides);
  const rank = (key, title, label) => ({ key, title, label, value: (row) => row[key], first: "ascending" });
  const part = (key, title, label) => ({ key, title, label, value: (row) => row[key], digits: 4, cell: (row) => exactCell(row[key], key === "difference") });
  return make(
    "details",
    { open: true, class: "difference" },
    make("summary", {}, `Contribution of each document to the difference in ${report.measures[measure]}`),
    makeTable({
      id: "difference-table",
      caption: "Contribution of each document to the difference",
      columns: [
        { key: "doc", title: "Document", value: (row) => row.name, cell: documentCell, text: true, heading: true, filtered: true, first: "ascending" },
        { key: "grade", title: "Grade", value: (row) => row.level ?? NaN, cell: (row) => gradeCell(row.level) },
        rank("rankA", "Rank in A", `Rank in ${a}`),
        rank("rankB", "Rank in B", `Rank in ${b}`),
        part("a", "Adds to A", `Adds to ${a}`),
        part("b", "Adds to B", `Adds to ${b}`),
        part("difference", "Difference", "Difference, A − B"),
      ],
      rows: rows.map((row) => ({ ...row, size: Math.abs(row.difference) })),
      sort: { key: null, direction: "none" },
      limit: 8,
      whole: false,
    }).element,
  );
}

/** A number to 4 digits that holds all of them. */
function exactCell(value, signed = false) {
  return make("span", { "data-value": String(value) }, signed ? formatSigned(value) : format(value));
}

function gradeText(level) {
  if (level === null) return "";
  return level === UNJUDGED ? "unjudged" : level === 0 ? "0" : String(report.grades[level - 1]);
}

function gradeCell(level) {
  if (level === null) return "";
  const kind = level === UNJUDGED ? "unjudged" : level === 0 ? "g0" : `g${Math.max(1, Math.round((4 * level) / GRADES))}`;
  return make("span", { class: `grade ${kind}` }, gradeText(level));
}

function documentCell(item) {
  if (!item.title) return nameOf(item.name);
  return [make("bdi", { class: "doc-title" }, item.title), " ", make("span", { class: "doc-id" }, nameOf(item.name))];
}

/** A ranking with grades, what each document adds, where it stands in the other, and swaps. */
function rankingPart(data, side, sides, measure, terms, topic, deep, onswap) {
  const { items } = side.list;
  const other = sides.find((each) => each !== side);
  const ranks = new Map(other?.list.items.map((item) => [item.doc, item.rank]) ?? []);
  const chosen = Math.min(side.swap, items.length - 1);
  const most = Math.max(1e-12, ...sides.flatMap((each) => each.parts ?? [0]));
  const mark = (doc, on) => { for (const row of document.querySelectorAll(`#drill tr[data-doc="${doc}"]`)) row.classList.toggle("linked", on); };
  const shown = deep ? items : items.filter((item) => item.rank <= data.depth);
  const rows = shown.map((item, place) => make(
    "tr",
    { "data-doc": item.doc, class: item.rank > data.depth ? "deep" : null, onmouseenter: () => mark(item.doc, true), onmouseleave: () => mark(item.doc, false), onfocusin: () => mark(item.doc, true), onfocusout: () => mark(item.doc, false) },
    make("td", {}, terms ? button(String(item.rank), () => onswap(side.side, place), { class: "rank", "aria-pressed": String(place === chosen), "aria-label": `Rank ${item.rank}: show what swaps with it would change` }) : String(item.rank)),
    make("td", {}, gradeCell(item.level)),
    make("th", { scope: "row", class: "text" }, documentCell(item)),
    other ? make("td", {}, otherRank(item, ranks)) : null,
    terms ? make("td", {}, exactCell(side.parts[place]), partBar(side.parts[place], most)) : null,
    terms ? make("td", { class: "swap" }, place === chosen ? "–" : exactCell(unlessNoise(swapDelta(items, terms, topic, place, chosen), 1), true)) : null,
  ));
  const rest = side.rest + total((side.parts ?? []).slice(shown.length));
  if (rest) rows.push(make("tr", {}, make("td"), make("td"), make("th", { scope: "row", class: "text" }, restText(items.length - shown.length)), other ? make("td") : null, make("td", {}, exactCell(rest)), make("td")));
  const heads = ["Rank", "Grade", "Document", ...(other ? [side.side === "a" ? "In B" : "In A"] : []), ...(terms ? ["Adds", `Swap with ${items[chosen]?.rank ?? 1}`] : [])];
  const caption = `${sides.length > 1 ? `${side.side.toUpperCase()}: ` : ""}${report.runs[side.run]}`;
  const table = make("table", { "data-side": side.side }, make("caption", {}, `Ranking of ${report.runs[side.run]}`), make("thead", {}, make("tr", {}, heads.map((head) => make("th", { scope: "col", class: head === "Document" ? "text" : null }, head)))), make("tbody", {}, rows));
  return make("div", { class: `ranking ${side.side === "a" ? "first" : "second"}` }, make("h3", {}, nameOf(caption), make("span", { class: "hint" }, ` ${report.measures[measure]} ${format(side.value)}`)), make("div", { class: "scroller", role: "region", "aria-label": `Ranking of ${report.runs[side.run]}`, tabindex: 0 }, table));
}

function restText(known) {
  return known ? `${counted(known, "relevant document")} further down` : "documents further down";
}

function otherRank(item, ranks) {
  const rank = ranks.get(item.doc);
  if (rank === undefined) return make("span", { class: "moved", "aria-label": "not among the documents shown for the other run" }, "–");
  const steps = rank - item.rank;
  return make("span", { class: `moved ${steps > 0 ? "up" : steps < 0 ? "down" : ""}` }, `${steps > 0 ? "▲" : steps < 0 ? "▼" : "="} ${rank}`);
}

function partBar(value, most) {
  if (value <= 0) return null;
  return makeSvg("svg", { viewBox: "0 0 50 6", class: "part", "aria-hidden": "true" }, makeSvg("rect", { width: (50 * value) / most, height: 6, class: "first" }));
}

function drillNote(data, measure, terms) {
  const name = report.measures[measure];
  const deep = !data.deep.length ? "" : data.deep.length === RUNS ? ", and all relevant ones" : `, and all relevant ones of the ${counted(data.deep.length, "best run")}`;
  const shown = `This page includes the first ${data.depth} documents of each list${deep}.`;
  if (!terms) return `${shown} ${name} is not a sum over documents, so contributions are not shown; choose AP, nDCG or another measure of the two families at the top.`;
  const meanings = {
    pivot: `A document adds to ${name} as a pivot: its discounted share of relevant documents at or above it.`,
    cascade: `A document adds to ${name} the share of users who stop at it, times the discount of its rank.`,
    gain: `A document adds its discounted gain to ${name}.`,
  };
  return `${shown} ${meanings[terms.kind]} Contributions sum to the value of the list. “Swap” is the change in ${name} if two documents of a list traded places; click a rank to choose the one to swap with.`;
}
