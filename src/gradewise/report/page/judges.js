// Other judges of the same documents: how far they agree, and whether it matters.

function startJudges(measures) {
  const found = report.judges;
  const state = { judge: found.names[0], measure: measures.chosen };
  const bias = biasPart(state);
  const beside = [confusionPart(state), ...(found.effect ? [ranksPart(state)] : []), ...(found.widths ? [widthPart(state)] : [])];
  const parts = [...beside, bias];
  const refresh = () => parts.forEach((part) => part.refresh());
  const choice = chooser("judge", "Judge", found.names, 0, (place) => {
    state.judge = found.names[place];
    refresh();
  });
  const effects = found.effect ? effectPart(state) : null;
  measures.follow((chosen) => {
    state.measure = chosen;
    effects?.refresh();
    refresh();
  });
  bodyOf("judges").append(
    make("p", { class: "finding" }, judgesSentence(found)),
    agreementTable(found),
    ...(effects ? [effects.element, steadyTable(found)] : []),
    make("div", { class: "controls" }, choice.element),
    make("div", { class: "columns" }, make("div", {}, beside.map((part) => part.element)), bias.element),
    ...found.notes.map((note) => make("p", { class: "note" }, note)),
  );
  refresh();
}

function judgesSentence(found) {
  const best = [...found.agreement].sort((a, b) => descending(a.kappa_quadratic[0] ?? NaN, b.kappa_quadratic[0] ?? NaN))[0];
  const agrees = `${best.judge} agrees best with ${found.reference}: quadratic κ = ${withInterval(best.kappa_quadratic)} on ${counted(best.documents, "document")}.`;
  if (!found.effect) return agrees;
  const [first, last] = [found.effect.measures[0], found.effect.measures.at(-1)];
  return `${agrees} Of the measures, ${first.measure} depends least on who judges (mean τ with the ranking under ${found.reference} ${format(first.tau, 2)}), ${last.measure} most (${format(last.tau, 2)}).`;
}

function withInterval([value, low, high], digits = 3) {
  return value === null ? "–" : `${format(value, digits)} [${format(low, digits)}, ${format(high, digits)}]`;
}

function intervalColumn(key, title, label) {
  return { key, title, label, value: (row) => row[key]?.[0] ?? NaN, cell: (row) => withInterval(row[key]), digits: 3 };
}

function agreementTable(found) {
  return makeTable({
    id: "judge-agreement",
    caption: `Agreement with ${found.reference}`,
    columns: [
      { key: "judge", title: "Judge", value: (row) => row.judge, cell: (row) => nameOf(row.judge), text: true, heading: true, filtered: true, first: "ascending" },
      { key: "documents", title: "Documents", value: (row) => row.documents, cell: (row) => row.documents.toLocaleString("en") },
      intervalColumn("kappa", "κ", "Cohen's kappa with its interval"),
      intervalColumn("kappa_quadratic", "Quadratic κ", "Cohen's kappa, quadratic weights"),
      intervalColumn("alpha", "α", "Krippendorff's alpha for ordinal grades"),
      intervalColumn("overlap", "Overlap", "Relevant for both, of relevant for either; mean over topics"),
    ],
    rows: found.agreement,
    sort: { key: "kappa_quadratic", direction: "descending" },
  }).element;
}

/** Rankings of runs under each judge, by the measure that the page is about. */
function effectPart(state) {
  const { rows } = report.judges.effect;
  const number = (key, title, label) => ({ key, title, label, value: (row) => row[key] ?? NaN, digits: 3, cell: (row) => withInterval([row[key], row[`${key}_low`], row[`${key}_high`]]) });
  const count = (key, title, label) => ({ key, title, label, value: (row) => row[key] });
  const columns = [
    { key: "judge", title: "Judge", value: (row) => row.judge, cell: (row) => nameOf(row.judge), text: true, heading: true, filtered: true, first: "ascending" },
    number("tau", "τ", "Kendall's tau of the rankings of runs"),
    number("tau_ap", "τ AP", "AP correlation of the rankings of runs"),
    count("kept", "Kept", "Pairs of runs that differ significantly under both judges"),
    count("lost", "Lost", "Pairs that differ significantly under the reference only"),
    count("gained", "Gained", "Pairs that differ significantly under the judge only"),
    count("reversed", "Reversed", "Pairs that differ significantly in opposite directions"),
    { key: "mover", title: "Largest mover", value: (row) => row.mover, cell: (row) => [nameOf(row.mover), ` (${row.moved > 0 ? "down" : "up"} ${Math.abs(row.moved)})`], text: true, first: "ascending" },
  ];
  const mine = () => rows.filter((row) => row.measure === report.measures[state.measure]);
  const table = makeTable({ id: "judge-effect", caption: "Rankings of runs under each judge", columns, rows: mine(), sort: { key: "tau", direction: "descending" } });
  const heading = make("h3");
  const refresh = () => {
    heading.textContent = `Does it matter? Runs ranked by ${report.measures[state.measure]}`;
    table.choose(columns, mine());
  };
  refresh();
  return { element: make("div", {}, heading, table.element), refresh };
}

function steadyTable(found) {
  const number = (key, title, label) => ({ key, title, label, value: (row) => row[key] ?? NaN, digits: 3, cell: (row) => withInterval([row[key], row[`${key}_low`], row[`${key}_high`]]) });
  const table = makeTable({
    id: "judge-measures",
    caption: "Measures by how little they depend on who judges",
    columns: [
      { key: "measure", title: "Measure", value: (row) => row.measure, text: true, heading: true, filtered: true, first: "ascending" },
      number("tau", "Mean τ", "Mean over judges of Kendall's tau with the reference's ranking"),
      number("tau_ap", "Mean τ AP", "Mean over judges of the AP correlation"),
      { key: "moved", title: "Pairs moved", label: "Share of pairs of runs whose significance or sign changes", value: (row) => row.moved, cell: (row) => percent(row.moved), digits: 4 },
      { key: "best", title: "Most stable", label: "Share of bootstrap samples of topics with the highest mean tau", value: (row) => row.best, cell: (row) => percent(row.best), digits: 4 },
    ],
    rows: found.effect.measures,
    sort: { key: "tau", direction: "descending" },
  });
  return make("details", {}, make("summary", {}, "Which measure depends least on who judges?"), table.element);
}

/** Which grades a judge gives where the reference gives which. */
function confusionPart(state) {
  const element = make("figure");
  const refresh = () => {
    const { grades, table, note } = report.judges.confusion[state.judge];
    const totals = table.map((row) => row.reduce((sum, value) => sum + value, 0));
    const cell = (value, a) => make("td", { class: `heat h${Math.round(scale(0, 1, 0, 9)(totals[a] ? value / totals[a] : 0))}` }, value.toLocaleString("en"));
    const body = table.map((row, a) => make("tr", {}, make("th", { scope: "row", class: "text" }, String(grades[a])), row.map((value) => cell(value, a)))).reverse();
    const head = make("tr", {}, make("td"), grades.map((grade) => make("th", { scope: "col" }, String(grade))));
    const caption = `Documents by the grade of ${report.judges.reference} (rows) and of ${state.judge} (columns)${note ? `; ${note}` : ""}`;
    element.replaceChildren(make("figcaption", {}, caption), make("div", { class: "scroller", role: "region", "aria-label": caption, tabindex: 0 }, make("table", { id: "confusion", class: "heats" }, make("caption", {}, caption), make("thead", {}, head), make("tbody", {}, body))));
  };
  return { element, refresh };
}

/** The mean grade of a judge less that of the reference, topic by topic. */
function biasPart(state) {
  const element = make("figure");
  const refresh = () => {
    const rows = [...report.judges.bias[state.judge]].sort((a, b) => a.bias - b.bias);
    const [width, left, step] = [420, 150, 18];
    const height = rows.length * step + 10;
    const ends = [Math.min(0, ...rows.map((row) => row.bias)), Math.max(0, ...rows.map((row) => row.bias))];
    const x = scale(...ends, left, width - 16);
    const dots = rows.map((row, place) => [
      makeSvg("line", { x1: x(0), x2: x(row.bias), y1: place * step + 12, y2: place * step + 12, class: `link ${row.bias < 0 ? "second" : "first"}` }),
      titled(makeSvg("circle", { cx: x(row.bias), cy: place * step + 12, r: 4, class: row.bias < 0 ? "second" : "first" }), `${row.topic}: ${formatSigned(row.bias, 2)} on ${counted(row.documents, "document")}`),
      makeSvg("text", { x: left - 8, y: place * step + 16, "text-anchor": "end" }, shortened(row.topic, 16)),
    ]);
    const generous = rows.filter((row) => row.bias > 0).length;
    const caption = `${state.judge} is more generous than ${report.judges.reference} on ${generous} of ${counted(rows.length, "topic")}: difference of mean grades`;
    element.replaceChildren(make("figcaption", {}, caption), chart(width, height + 40, caption, axis(x, ticks(...ends, 4), 4, height, "bias in grades"), dots));
  };
  return { element, refresh };
}

/** How runs change places between the reference and a judge. */
function ranksPart(state) {
  const element = make("figure");
  const refresh = () => {
    const { ranks } = report.judges.effect;
    const [before, after] = [report.judges.reference, state.judge].map((name) => ranks[name][state.measure]);
    const [width, height] = [420, Math.min(900, Math.max(180, RUNS * 18))];
    const y = scale(1, Math.max(2, RUNS), 14, height);
    const most = Math.max(...before.map((rank, run) => Math.abs(after[run] - rank)));
    const lines = before.map((rank, run) => {
      const kind = most && Math.abs(after[run] - rank) === most ? "second" : after[run] === rank ? "" : "first";
      return titled(makeSvg("line", { x1: 150, x2: width - 150, y1: y(rank), y2: y(after[run]), class: `link ${kind}` }), `${report.runs[run]}: ${rank} to ${after[run]}`);
    });
    const named = RUNS <= 45;
    const texts = named ? report.runs.flatMap((name, run) => [
      makeSvg("text", { x: 142, y: y(before[run]) + 4, "text-anchor": "end" }, shortened(name, 18)),
      makeSvg("text", { x: width - 142, y: y(after[run]) + 4 }, shortened(name, 18)),
    ]) : [];
    const heads = [[150, "end", report.judges.reference], [width - 150, "start", state.judge]].map(([at, anchor, text]) => makeSvg("text", { x: at, y: height + 26, class: "title", "text-anchor": anchor }, shortened(text, 20)));
    const caption = `Ranks of runs by ${report.measures[state.measure]}, under ${report.judges.reference} and under ${state.judge}: the largest move is ${most}`;
    element.replaceChildren(make("figcaption", {}, caption), chart(width, height + 40, caption, lines, texts, heads));
  };
  return { element, refresh };
}

/** How wide intervals are if people had judged fewer topics, with the judge's labels and without. */
function widthPart(state) {
  const element = make("figure");
  const refresh = () => {
    const { measure, judges } = report.judges.widths;
    const rows = judges[state.judge].filter((row) => row.target === "future");
    const [width, height, left] = [420, 240, 56];
    const x = scale(rows[0].topics, Math.max(rows[0].topics + 1, rows.at(-1).topics), left, width - 16);
    const highest = Math.max(...rows.map((row) => Math.max(row.width, row.alone_width)));
    const y = scale(0, highest, height, 12);
    const path = (key) => rows.map((row) => `${x(row.topics).toFixed(1)},${y(row[key]).toFixed(1)}`).join(" ");
    const rules = ticks(0, highest, 4).map((value) => [
      makeSvg("line", { x1: left, x2: width - 16, y1: y(value), y2: y(value), class: "grid" }),
      makeSvg("text", { x: left - 6, y: y(value) + 4, class: "tick", "text-anchor": "end" }, tickText(value)),
    ]);
    const marks = rows.map((row) => makeSvg("text", { x: x(row.topics), y: height + 16, class: "tick", "text-anchor": "middle" }, String(row.topics)));
    const title = makeSvg("text", { x: (left + width) / 2, y: height + 34, class: "title", "text-anchor": "middle" }, `topics judged in ${report.judges.reference}`);
    const middle = rows[Math.floor(rows.length / 2)];
    const caption = `Width of 95% intervals of ${measure} for future topics: with ${middle.topics} topics, the labels of ${state.judge} make them ${percent(Math.abs(middle.narrower), 0)} ${middle.narrower < 0 ? "wider" : "narrower"}`;
    const keys = make("div", {}, make("span", { class: "key" }, `with ${state.judge}`), make("span", { class: "key second" }, `${report.judges.reference} alone`));
    element.replaceChildren(make("figcaption", {}, caption), keys, chart(width, height + 40, caption, rules, makeSvg("polyline", { points: path("alone_width"), class: "curve second" }), makeSvg("polyline", { points: path("width"), class: "curve" }), marks, title));
  };
  return { element, refresh };
}
