// How the report was made: command, settings, versions, inputs and warnings.

function startMaking() {
  const { command, settings, versions, inputs, warnings } = report.made;
  const list = (entries) => make("dl", { class: "numbers" }, entries.map(([term, value]) => make("div", {}, make("dt", {}, term), make("dd", {}, value))));
  const rows = inputs.map(([name, place, size, digest]) => ({ name, place, size, digest }));
  const table = makeTable({
    id: "input-table",
    caption: "Inputs",
    columns: [
      { key: "name", title: "Name", value: (row) => row.name, cell: (row) => nameOf(row.name), text: true, heading: true, filtered: true, first: "ascending" },
      { key: "place", title: "Source", value: (row) => row.place, cell: (row) => nameOf(row.place), text: true, first: "ascending" },
      { key: "size", title: "Bytes", value: (row) => row.size ?? NaN },
      { key: "digest", title: "SHA-256", value: (row) => row.digest ?? "–", cell: (row) => make("code", {}, row.digest ?? "–"), text: true, first: "ascending" },
    ],
    rows,
    sort: { key: null, direction: "none" },
    limit: 12,
  });
  bodyOf("making").append(
    make("pre", {}, make("code", {}, command)),
    make("div", { class: "columns" }, list(Object.entries(settings)), list(Object.entries(versions))),
    table.element,
    make("h3", {}, "Warnings"),
    warnings.length ? make("ul", { class: "warnings" }, warnings.map((warning) => make("li", {}, warning))) : make("p", { class: "note" }, "None."),
  );
}
