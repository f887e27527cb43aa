// The two runs that the page compares topic by topic, and the topic that it shows in full.

const pairing = {
  a: 0,
  b: 0,
  followers: [],
  follow(follower) {
    this.followers.push(follower);
  },
  /** Compare two runs, and keep them in the address. */
  choose(a, b) {
    address.set({ runs: [report.runs[a], report.runs[b]] });
    this.show(a, b);
  },
  show(a, b) {
    if (a === this.a && b === this.b) return;
    Object.assign(this, { a, b });
    for (const follower of this.followers) follower();
  },
};

/** The runs that the address names; for those that it does not, the best two by a measure. */
function addressedPair(measure) {
  const order = runsInOrder(measure);
  const named = address.list("runs").map((name) => report.runs.indexOf(name));
  const a = named[0] >= 0 ? named[0] : order[0];
  const b = named[1] >= 0 ? named[1] : order.find((run) => run !== a) ?? a;
  return [a, b];
}

function startPairing(measures) {
  [pairing.a, pairing.b] = addressedPair(measures.chosen);
  address.follow(() => pairing.show(...addressedPair(measures.chosen)));
  measures.follow((measure) => {
    if (!address.list("runs").length) pairing.show(...addressedPair(measure));
  });
}
