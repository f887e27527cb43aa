// Topics: which are difficult, and on which the runs differ most.

function startTopics(measures) {
  let measure = measures.chosen;
  const table = makeTable({
    id: "topic-table",
    caption: "Topics",
    columns: topicColumns(),
    rows: topicRows(measure),
    sort: { key: "mean", direction: "ascending" },
    limit: 25,
  });
  const filter = make("input", { type: "search", id: "topic-filter", autocomplete: "off", oninput: () => table.filter(filter.value) });
  measures.follow((chosen) => {
    measure = chosen;
    table.choose(topicColumns(), topicRows(measure));
  });
  bodyOf("topics").append(
    make(
      "div",
      { class: "controls" },
      make("div", { class: "field" }, make("label", { for: "topic-filter" }, "Find a topic"), filter),
      button("Most difficult first", () => table.sortBy("mean", "ascending"), { id: "hardest" }),
      button("Largest spread first", () => table.sortBy("spread", "descending"), { id: "divisive" }),
    ),
    table.element,
    make("p", { class: "note" }, "Mean and spread (standard deviation) over runs. Difficult topics have a low mean; runs differ most on topics with a large spread."),
  );
}

function topicRows(measure) {
  return report.topics.map((topic, place) => {
    const values = [];
    let best = -1;
    for (let run = 0; run < RUNS; run += 1) {
      const value = valueOf(measure, run, place);
      if (!isCounted(run, place) || Number.isNaN(value)) continue;
      values.push(value);
      if (best < 0 || value > valueOf(measure, best, place)) best = run;
    }
    return { topic, place, mean: mean(values), spread: deviation(values), best, top: best < 0 ? NaN : valueOf(measure, best, place) };
  });
}

function topicColumns() {
  const count = (place, level) => report.counts[place * (GRADES + 1) + level];
  const levels = report.grades.map((grade, index) => ({
    key: `grade${grade}`,
    title: `Grade ${grade}`,
    label: `Documents of grade ${grade}`,
    value: (row) => count(row.place, index + 1),
  }));
  return [
    { key: "topic", title: "Topic", value: (row) => row.topic, cell: (row) => nameOf(row.topic), text: true, heading: true, filtered: true, first: "ascending" },
    { key: "mean", title: "Mean", value: (row) => row.mean, digits: 4, first: "ascending" },
    { key: "spread", title: "Spread", value: (row) => row.spread, digits: 4 },
    { key: "top", title: "Best", value: (row) => row.top, digits: 4 },
    { key: "best", title: "Best run", value: (row) => (row.best < 0 ? "–" : report.runs[row.best]), cell: (row) => nameOf(row.best < 0 ? "–" : report.runs[row.best]), text: true, first: "ascending" },
    ...levels,
    { key: "judged", title: "Judged", value: (row) => report.grades.reduce((sum, _, index) => sum + count(row.place, index + 1), count(row.place, 0)) },
  ];
}
