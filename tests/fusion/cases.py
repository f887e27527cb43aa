"""Runs to fuse, with ties, missing topics and lists of different lengths."""

import random

Run = dict[str, dict[str, float]]

DOCUMENTS = ["9", "10", "a", "aa", "A", "é", "z"] + [f"d{number}" for number in range(25)]


def random_runs(seed: int, *, runs: int = 4, topics: int = 5, ties: bool = True) -> dict[str, Run]:
    """Draw runs; the last topic is missing from the first run."""
    rng = random.Random(seed)
    found: dict[str, Run] = {}
    for number in range(runs):
        run: Run = {}
        for topic in range(topics):
            if number == 0 and topic == topics - 1:
                continue
            documents = rng.sample(DOCUMENTS, rng.randint(1, len(DOCUMENTS)))
            scores = rng.sample(range(1, 1000), len(documents))
            run[f"t{topic}"] = {
                document: float(score % 12 if ties else score) * rng.choice((1, 0.25, 1))
                for document, score in zip(documents, scores, strict=True)
            }
        found[f"run{number}"] = run
    return found


def lists_of(runs: dict[str, Run], topic: str) -> list[dict[str, float]]:
    """What each run has for a topic."""
    return [run.get(topic, {}) for run in runs.values()]
