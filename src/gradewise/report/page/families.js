// Families of runs: runs whose names begin alike, up to the first sign, or up to their number.

/** The family of a run: bm25 of bm25-rm3_2, run of run12, and the name itself of others. */
function familyOf(name) {
  const [head] = name.split(/[-_.:/ ]/, 1);
  return (head === name ? name.replace(/\d+$/, "") : head) || name;
}

/** {family: runs} of all families with more than one run, the largest first; none if there is one. */
function findFamilies() {
  const groups = new Map();
  report.runs.forEach((name, run) => {
    const family = familyOf(name);
    if (!groups.has(family)) groups.set(family, []);
    groups.get(family).push(run);
  });
  if (groups.size < 2) return [];
  return [...groups].filter(([, runs]) => runs.length > 1).sort((one, other) => other[1].length - one[1].length || collator.compare(one[0], other[0]));
}

/** A choice of runs: all, the best of each family, or one family; `onchoose` gets a test of rows. */
function familyChooser(measures, onchoose) {
  const families = findFamilies();
  if (!families.length) return null;
  const texts = ["All runs", "The best of each family", ...families.map(([family, runs]) => `${family} (${runs.length})`)];
  const test = (place) => {
    if (place === 0) return null;
    const chosen = new Set(place === 1 ? bestOfFamilies(measures.chosen) : families[place - 2][1]);
    return (row) => chosen.has(row.run);
  };
  const choice = chooser("family", "Show", texts, 0, (place) => onchoose(test(place)));
  measures.follow(() => onchoose(test(Number(choice.select.value))));
  return choice.element;
}

/** The best run of each family by a measure, and runs without a family. */
function bestOfFamilies(measure) {
  const seen = new Set();
  return runsInOrder(measure).filter((run) => {
    const family = familyOf(report.runs[run]);
    return !seen.has(family) && seen.add(family);
  });
}
