// Small charts in SVG. Each has a sentence for those who cannot see it.

/** A linear scale from numbers to places. */
function scale(low, high, from, to) {
  const width = high - low || 1;
  return (value) => from + ((value - low) / width) * (to - from);
}

/** Round numbers that cover a range, about so many. */
function ticks(low, high, wanted = 5) {
  const rough = (high - low || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k += 1) found.push(k * step);
  return found;
}

function tickText(value) {
  return String(Number(value.toPrecision(6))).replace("-", "−");
}

function chart(width, height, description, ...parts) {
  return makeSvg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": description }, parts);
}

/** A horizontal axis with lines through the whole height. */
function axis(x, values, top, bottom, title) {
  const lines = values.map((value) => [
    makeSvg("line", { x1: x(value), x2: x(value), y1: top, y2: bottom, class: "grid" }),
    makeSvg("text", { x: x(value), y: bottom + 16, class: "tick", "text-anchor": "middle" }, tickText(value)),
  ]);
  const [first, last] = [x(values[0]), x(values.at(-1))];
  return [lines, makeSvg("text", { x: (first + last) / 2, y: bottom + 34, class: "title", "text-anchor": "middle" }, title)];
}

function titled(node, text) {
  node.append(makeSvg("title", {}, text));
  return node;
}

function shortened(text, length) {
  const letters = [...text];
  return letters.length > length ? `${letters.slice(0, length - 1).join("")}…` : text;
}
