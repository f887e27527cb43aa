// Topics: which are difficult, and on which the runs differ most.

function startTopics(measures) {
  let measure = measures.chosen;
  const table = makeTable({
    id: "topic-table",
    caption: "Scores by topic",
    columns: topicColumns(),
    rows: topicRows(measure),
    sort: { key: "mean", direction: worstFirst(measure) },
    limit: 15,
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
      button("Most difficult first", () => table.sortBy("mean", worstFirst(measure)), { id: "hardest" }),
      RUNS > 1 ? button("Largest spread first", () => table.sortBy("spread", "descending"), { id: "divisive" }) : null,
    ),
    table.element,
    sampleNote("The table is"),
    make("p", { class: "note" }, RUNS > 1 ? "Mean and spread (standard deviation) over runs. Difficult topics have worse means; runs differ most on topics with a large spread. Click a topic to see the rankings of two runs." : "Click a topic to see its ranking."),
  );
}

/** A topic, which leads to its rankings if the page holds them. */
function topicLink(topic) {
  return report.drill ? stateLink({ section: "topic", topic }, nameOf(topic)) : nameOf(topic);
}

function topicRows(measure) {
  const sign = signOf(measure);
  return report.topics.map((topic, place) => {
    const values = [];
    let best = -1;
    for (let run = 0; run < RUNS; run += 1) {
      const value = valueOf(measure, run, place);
      if (!isCounted(run, place) || Number.isNaN(value)) continue;
      values.push(value);
      if (best < 0 || sign * value > sign * valueOf(measure, best, place)) best = run;
    }
    return { topic, place, mean: mean(values), spread: deviation(values), best, top: best < 0 ? NaN : valueOf(measure, best, place) };
  });
}

function topicRunColumns() {
  return [
    { key: "spread", title: "Spread", value: (row) => row.spread, digits: 4 },
    { key: "top", title: "Best", value: (row) => row.top, digits: 4 },
    { key: "best", title: "Best run", value: (row) => (row.best < 0 ? "–" : report.runs[row.best]), cell: (row) => nameOf(row.best < 0 ? "–" : report.runs[row.best]), text: true, first: "ascending" },
  ];
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
    { key: "topic", title: "Topic", value: (row) => row.topic, cell: (row) => topicLink(row.topic), text: true, heading: true, filtered: true, first: "ascending" },
    { key: "mean", title: RUNS > 1 ? "Mean" : "Score", value: (row) => row.mean, digits: 4, first: "ascending" },
    ...(RUNS > 1 ? topicRunColumns() : []),
    ...levels,
    ...(report.counts ? [{ key: "judged", title: "Judged", value: (row) => report.grades.reduce((sum, _, index) => sum + count(row.place, index + 1), count(row.place, 0)) }] : []),
  ];
}
