// Tables that can be sorted by their headers, filtered, cut short, and copied.

const ROWS_SHOWN = 60;
const ROWS_AT_ONCE = 150;
let shownTables = []; // and what makes them show all rows

/** Print tables whole, and show as many rows as before once they are printed. */
function printTables(printed) {
  shownTables = shownTables.filter(({ element }) => element.isConnected);
  for (const { showAll } of shownTables) showAll(printed);
}

window.onbeforeprint = () => printTables(true);
window.onafterprint = () => printTables(false);

/**
 * Make a table.
 *
 * A column has a title, `value(row)` (a number or text, by which it is sorted and copied), and
 * perhaps `cell(row)` (what is shown), `digits`, `first` (the direction of its first sorting) and
 * `label` (a longer title), and `under()` (what stands below the title). `choose(columns, rows)`
 * changes both. `between(above, row, sort)` gives a class for a row that begins a part. A table that
 * is `whole` shows all rows in print.
 */
function makeTable({ id, caption, columns, rows, sort, limit = ROWS_SHOWN, between = null, whole = true }) {
  const state = { columns, rows, sort, filter: "", test: null, all: false, limit };
  const head = make("tr");
  const body = make("tbody");
  const table = make("table", { id }, make("caption", {}, caption), make("thead", {}, head), body);
  const scroller = make("div", { class: "scroller", role: "region", "aria-label": caption, tabindex: 0 }, table);
  const more = button("", () => { state.all = !state.all; draw(); }, { class: "more" });
  const element = make("div", { class: "table" }, scroller, make("div", { class: "below" }, more, copyButtons(caption, () => [state.columns, visibleRows(state)])));

  function draw() {
    drawHead(head, state, sortBy);
    const found = visibleRows(state);
    const shown = state.all || state.printed ? found : found.slice(0, state.limit);
    drawRows(shown);
    more.hidden = found.length <= state.limit;
    more.textContent = state.all ? `Show the first ${state.limit}` : `Show all ${found.length.toLocaleString("en")}`;
    return found.length;
  }

  /** Draw rows, of a long table some at once and the others as soon as these are seen. */
  function drawRows(shown) {
    const drawn = {};
    const draw = (from, to) => shown.slice(from, to).map((row, place) => makeRow(state.columns, row, between && from + place ? between(shown[from + place - 1], row, state.sort) : ""));
    const goOn = (from) => {
      if (state.drawn !== drawn) return; // other rows are drawn by now
      body.append(...draw(from, from + ROWS_AT_ONCE));
      if (from + ROWS_AT_ONCE < shown.length) setTimeout(goOn, 0, from + ROWS_AT_ONCE);
    };
    state.drawn = drawn;
    const first = state.printed ? shown.length : ROWS_AT_ONCE;
    body.replaceChildren(...draw(0, first));
    if (first < shown.length) setTimeout(goOn, 0, first);
  }

  function sortBy(key, direction) {
    state.sort = { key, direction };
    draw();
    const column = state.columns.find((each) => each.key === key);
    announce(`Sorted by ${column.label ?? column.title}, ${direction}`);
    head.querySelector(`[data-key="${CSS.escape(key)}"] button`)?.focus();
  }

  draw();
  if (whole) shownTables.push({ element, showAll: (printed) => { state.printed = printed; draw(); } });
  return {
    element,
    sortBy,
    keep(test) {
      if (test === state.test) return;
      state.test = test;
      announce(`${counted(draw(), "row")} shown`);
    },
    filter(text) {
      state.filter = text.trim().toLowerCase();
      announce(`${counted(draw(), "row")} found`);
    },
    choose(chosen, given, sorted = state.sort) {
      Object.assign(state, { columns: chosen, rows: given, sort: sorted });
      draw();
    },
  };
}

function visibleRows({ columns, rows, sort, filter, test }) {
  const named = filter ? rows.filter((row) => String(columns.find((c) => c.filtered).value(row)).toLowerCase().includes(filter)) : [...rows];
  const kept = test ? named.filter(test) : named;
  const column = columns.find((each) => each.key === sort.key);
  if (!column) return kept; // as given
  const sign = sort.direction === "ascending" ? 1 : -1;
  return kept.sort((a, b) => sign * compareValues(column.value(a), column.value(b), sign));
}

const collator = new Intl.Collator("en", { numeric: true });

/** Compare two values; what is undefined comes last in either direction. */
function compareValues(a, b, sign) {
  if (typeof a === "string") return collator.compare(a, b);
  if (Number.isNaN(a) || Number.isNaN(b)) return sign * (Number.isNaN(a) - Number.isNaN(b));
  return a - b;
}

function drawHead(head, state, sortBy) {
  head.replaceChildren(...state.columns.map((column) => {
    const sorted = column.key === state.sort.key;
    const direction = state.sort.direction;
    const next = sorted ? (direction === "ascending" ? "descending" : "ascending") : column.first ?? "descending";
    const arrow = make("span", { class: "arrow", "aria-hidden": "true" }, sorted ? (direction === "ascending" ? "▲" : "▼") : "");
    return make(
      "th",
      { scope: "col", "data-key": column.key, class: [column.text ? "text" : "", column.title.length > UNBROKEN ? "long" : ""].filter(Boolean).join(" ") || null, "aria-sort": sorted ? direction : "none" },
      button([breakable(column.title), arrow], () => sortBy(column.key, next), { title: column.label }),
      column.under?.() ?? null,
    );
  }));
}

/** A title that may break before its parameters. */
function breakable(title) {
  const [name, ...rest] = title.split("(");
  return rest.length ? [name, make("wbr"), `(${rest.join("(")}`] : title;
}

function makeRow(columns, row, begins = "") {
  const cells = columns.map((column) => {
    const content = column.cell ? column.cell(row) : shownText(column, row);
    const tag = column.heading ? "th" : "td";
    return make(tag, { class: column.text ? "text" : null, scope: column.heading ? "row" : null }, content);
  });
  return make("tr", { class: [row.mark, begins].filter(Boolean).join(" ") || null }, cells);
}

function shownText(column, row) {
  const value = column.value(row);
  return typeof value === "number" ? format(value, column.digits ?? 0) : value;
}

/** Buttons that copy a table; `content()` gives its columns and its rows as they stand. */
function copyButtons(caption, content) {
  const copy = (kind, write) => button(`Copy ${kind}`, () => copyText(write(...content()), kind), {
    class: "quiet",
    "aria-label": `Copy ${caption} as ${kind}`,
  });
  return make("span", { class: "copy" }, copy("CSV", toCsv), copy("LaTeX", toLatex));
}

/** All rows as comma-separated values, numbers in full. */
function toCsv(columns, rows) {
  const quote = (text) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const lines = rows.map((row) => columns.map((column) => quote(String(column.value(row)))));
  return [columns.map((column) => quote(column.label ?? column.title)), ...lines].map((line) => `${line.join(",")}\n`).join("");
}

const LATEX = {
  "\\": "\\textbackslash{}", "&": "\\&", "%": "\\%", $: "\\$", "#": "\\#", _: "\\_", "{": "\\{", "}": "\\}",
  "~": "\\textasciitilde{}", "^": "\\textasciicircum{}",
};

/** All rows as a LaTeX tabular, with the rules of booktabs. */
function toLatex(columns, rows) {
  const escape = (text) => text.replace(/[\\&%$#_{}~^]/g, (char) => LATEX[char]).replaceAll("−", "$-$");
  const line = (cells) => `${cells.map(escape).join(" & ")} \\\\`;
  return [
    `\\begin{tabular}{${columns.map((column) => (column.text ? "l" : "r")).join("")}}`,
    "\\toprule",
    line(columns.map((column) => column.label ?? column.title)),
    "\\midrule",
    ...rows.map((row) => line(columns.map((column) => String(shownText(column, row))))),
    "\\bottomrule",
    "\\end{tabular}\n",
  ].join("\n");
}
