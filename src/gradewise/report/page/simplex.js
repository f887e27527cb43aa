// The map of all views of relevance, colored by the run that wins there.

const COLORED = 7; // winners with a color of their own
const MOST_POINTS = 250;

/** Evenly spaced threshold probabilities: 101 for two grades, 231 for three, fewer steps beyond. */
function simplexGrid() {
  let parts = GRADES === 2 ? 100 : 20;
  while (parts > 1 && compositions(parts, GRADES).length > MOST_POINTS) parts -= 1;
  return { parts, points: compositions(parts, GRADES).map((point) => point.map((part) => part / parts)) };
}

/** Every way to write a total as an ordered sum; stops soon after there are too many. */
function compositions(total, parts) {
  if (parts === 1) return [[total]];
  const found = [];
  for (let first = total; first >= 0 && found.length <= MOST_POINTS; first -= 1) {
    for (const rest of compositions(total - first, parts - 1)) found.push([first, ...rest]);
  }
  return found;
}

/** The winner at each point, found in pieces so that the page stays quick; then call back. */
function findWinners(points, measure, done) {
  const winners = [];
  const work = () => {
    const until = performance.now() + 12;
    while (winners.length < points.length && performance.now() < until) {
      const means = gradedMeans(points[winners.length], [measure])[measure];
      winners.push(means.reduce((best, value, run) => (value > means[best] ? run : best), 0));
    }
    if (winners.length < points.length) setTimeout(work);
    else done(winners);
  };
  work();
}

/** A map that is drawn once for each measure, with a mark at the current probabilities. */
function makeMap(onpick) {
  const { parts, points } = simplexGrid();
  const found = new Map();
  const mark = makeSvg("circle", { r: 6, class: "mark" });
  const draw = GRADES === 2 ? drawBar : GRADES === 3 ? drawTriangle : () => null;
  const place = GRADES === 2 ? barPlace : trianglePlace;
  const picture = make("div", { class: "map" });
  const legend = make("ol", { class: "legend" });
  const sentence = make("p", { class: "note", id: "map-sentence" });

  function show(measure) {
    if (!found.has(measure)) {
      found.set(measure, null);
      sentence.textContent = "Computing the best run for all thresholds …";
      findWinners(points, measure, (winners) => {
        found.set(measure, winners);
        if (shown === measure) paint(measure);
      });
    } else if (found.get(measure)) paint(measure);
  }

  function paint(measure) {
    const winners = found.get(measure);
    const shares = winnerShares(winners);
    const colors = new Map(shares.map(([run], index) => [run, index < COLORED ? `c${index + 1}` : "c0"]));
    const drawn = draw(points, winners, colors, parts, onpick, mapSentence(measure, shares));
    picture.replaceChildren(...(drawn ? [drawn] : []));
    drawn?.append(mark);
    legend.replaceChildren(...legendItems(shares, points.length, colors));
    sentence.textContent = mapSentence(measure, shares);
  }

  let shown = "";
  return {
    element: make("div", {}, make("h3", {}, "Best run by threshold"), picture, legend, sentence),
    update(measure, g) {
      if (measure !== shown) {
        shown = measure;
        show(measure);
      }
      if (GRADES <= 3) {
        const [x, y] = place(g);
        mark.setAttribute("cx", x);
        mark.setAttribute("cy", y);
      }
    },
  };
}

function winnerShares(winners) {
  const counts = new Map();
  for (const run of winners) counts.set(run, (counts.get(run) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

function mapSentence(measure, shares) {
  if (shares.length === 1) return `${measure} ranks ${report.runs[shares[0][0]]} first for all thresholds.`;
  return `By ${measure}, ${shares.length} runs are best for some thresholds.`;
}

function shareText(share) {
  if (share > 0.99 && share < 1) return ">99%";
  return share < 0.01 ? "<1%" : percent(share, 0);
}

function legendItems(shares, points, colors) {
  const items = shares.slice(0, COLORED).map(([run, count]) => make("li", { class: colors.get(run) }, nameOf(report.runs[run]), ` ${shareText(count / points)}`));
  const others = shares.slice(COLORED).reduce((sum, [, count]) => sum + count, 0);
  if (others) items.push(make("li", { class: "c0" }, `${counted(shares.length - COLORED, "other")} ${shareText(others / points)}`));
  return items;
}

// Two grades: a bar from "all accept the lower grade" to "all require the higher".
const BAR = { width: 360, left: 10, top: 16, height: 34 };

function barPlace(g) {
  return [BAR.left + g[1] * (BAR.width - 2 * BAR.left), BAR.top + BAR.height / 2];
}

function drawBar(points, winners, colors, parts, onpick, sentence) {
  const unit = (BAR.width - 2 * BAR.left) / parts;
  const cells = points.map((g, index) => {
    const from = Math.max(BAR.left, barPlace(g)[0] - unit / 2);
    const to = Math.min(BAR.width - BAR.left, barPlace(g)[0] + unit / 2);
    const cell = makeSvg("rect", { x: from, width: to - from + 0.4, y: BAR.top, height: BAR.height, class: colors.get(winners[index]), onclick: () => onpick(g) });
    return titled(cell, `${thresholdText(g)}: ${report.runs[winners[index]]}`);
  });
  const [low, high] = report.grades;
  return chart(
    BAR.width,
    BAR.top + BAR.height + 40,
    sentence,
    cells,
    makeSvg("text", { x: BAR.left, y: BAR.top + BAR.height + 18, class: "tick" }, `all accept grade ${low}`),
    makeSvg("text", { x: BAR.width - BAR.left, y: BAR.top + BAR.height + 18, class: "tick", "text-anchor": "end" }, `all require grade ${high}`),
  );
}

// Three grades: a triangle with a corner for each.
const TRIANGLE = { width: 360, left: 30, right: 330, bottom: 290, top: 30 };

function trianglePlace(g) {
  const { left, right, bottom, top } = TRIANGLE;
  return [g[0] * left + g[1] * right + (g[2] * (left + right)) / 2, bottom - g[2] * (bottom - top)];
}

function drawTriangle(points, winners, colors, parts, onpick, sentence) {
  const radius = (TRIANGLE.right - TRIANGLE.left) / parts / Math.sqrt(3) + 0.3;
  const corners = [0, 1, 2, 3, 4, 5].map((corner) => [radius * Math.sin((corner * Math.PI) / 3), radius * Math.cos((corner * Math.PI) / 3)]);
  const cells = points.map((g, index) => {
    const [x, y] = trianglePlace(g);
    const outline = corners.map(([dx, dy]) => `${(x + dx).toFixed(2)},${(y + dy).toFixed(2)}`).join(" ");
    const cell = makeSvg("polygon", { points: outline, class: colors.get(winners[index]), onclick: () => onpick(g) });
    return titled(cell, `${thresholdText(g)}: ${report.runs[winners[index]]}`);
  });
  const label = (x, y, anchor, grade) => makeSvg("text", { x, y, class: "tick", "text-anchor": anchor }, `threshold grade ${grade} for all`);
  const [low, middle, high] = report.grades;
  return chart(
    TRIANGLE.width,
    TRIANGLE.bottom + 36,
    sentence,
    cells,
    label(4, TRIANGLE.bottom + 28, "start", low),
    label(TRIANGLE.width - 4, TRIANGLE.bottom + 28, "end", middle),
    label(TRIANGLE.width / 2, 14, "middle", high),
  );
}
