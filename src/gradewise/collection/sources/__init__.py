"""Where rows come from: one file a kind of source, each of which yields batches."""
