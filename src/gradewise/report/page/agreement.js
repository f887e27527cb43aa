// How measures agree: Kendall's tau of every two over runs.

function startAgreement() {
  const names = report.measures;
  const tau = report.tau.values;
  const lowest = Math.min(0.5, ...tau.flat().filter((value) => value !== null));
  const cell = (value) => make("td", { class: `heat h${value === null ? 0 : Math.round(scale(lowest, 1, 1, 9)(value))}` }, format(value, 2));
  const body = names.map((name, a) => make("tr", {}, make("th", { scope: "row", class: "text" }, name), names.map((_, b) => cell(tau[a][b]))));
  const head = make("tr", {}, make("td"), names.map((name) => make("th", { scope: "col" }, breakable(name))));
  const table = make("table", { id: "tau-table", class: "heats" }, make("caption", {}, "Kendall's τ between measures"), make("thead", {}, head), make("tbody", {}, body));
  const columns = [
    { title: "measure", value: (row) => row.name, text: true },
    ...names.map((name, b) => ({ title: name, digits: 3, value: (row) => row.values[b] ?? NaN })),
  ];
  const copied = names.map((name, a) => ({ name, values: tau[a] }));
  bodyOf("agreement").append(
    make("p", { class: "finding" }, agreementSentence(names, tau)),
    make(
      "div",
      { class: "beside" },
      make(
        "div",
        {},
        make("div", { class: "scroller", role: "region", "aria-label": "Kendall's τ between measures", tabindex: 0 }, table),
        make("div", { class: "below" }, copyButtons("the correlations", () => [columns, copied])),
        report.tau.notes.map((note) => make("p", { class: "note" }, note)),
      ),
      scatterSection(),
    ),
  );
}

function agreementSentence(names, tau) {
  let least = null;
  for (let a = 0; a < names.length; a += 1) {
    for (let b = 0; b < a; b += 1) {
      if (tau[a][b] !== null && (least === null || tau[a][b] < tau[least[0]][least[1]])) least = [a, b];
    }
  }
  if (!least) return "The correlation is undefined for all pairs of measures.";
  const [a, b] = least;
  return `${names[b]} and ${names[a]} agree least on the order of runs: Kendall's τ = ${format(tau[a][b], 2)} (1 is the same order, 0 no association).`;
}

/** Two measures against each other, a dot for each run. */
function scatterSection() {
  const state = { x: 0, y: 1 };
  const figure = make("figure");
  const choose = (side, label) => chooser(`scatter-${side}`, label, report.measures, state[side], (measure) => {
    state[side] = measure;
    refresh();
  }).element;
  function refresh() {
    const [width, height, left] = [420, 330, 56];
    const points = report.runs.map((name, run) => ({ name, x: meanOf(state.x, run), y: meanOf(state.y, run) })).filter((point) => !Number.isNaN(point.x + point.y));
    const ends = (side) => [Math.min(...points.map((p) => p[side])), Math.max(...points.map((p) => p[side]))];
    const x = scale(...ends("x"), left + 10, width - 20);
    const y = scale(...ends("y"), height - 10, 20);
    const rules = ticks(...ends("y")).map((value) => [
      makeSvg("line", { x1: left, x2: width - 10, y1: y(value), y2: y(value), class: "grid" }),
      makeSvg("text", { x: left - 6, y: y(value) + 4, class: "tick", "text-anchor": "end" }, tickText(value)),
    ]);
    const dots = points.map((point) => titled(makeSvg("circle", { cx: x(point.x), cy: y(point.y), r: 4, class: "first faint" }), `${point.name}: ${format(point.x)}, ${format(point.y)}`));
    const title = makeSvg("text", { x: 14, y: height / 2, class: "title", "text-anchor": "middle", transform: `rotate(-90 14 ${height / 2})` }, report.measures[state.y]);
    figure.replaceChildren(chart(width, height + 40, `${report.measures[state.y]} against ${report.measures[state.x]}, a dot for each run`, rules, axis(x, ticks(...ends("x")), 14, height, report.measures[state.x]), dots, title));
  }
  refresh();
  return make("div", { class: "narrow" }, make("div", { class: "controls" }, choose("y", "Plot"), choose("x", "against")), figure);
}
