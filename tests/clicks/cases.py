"""Small random logs, as rows, as dictionaries for the oracles, and as the package reads them."""

import random

import gradewise as gw
from gradewise.clicks import ClickLog
from oracles.clicks import Session

Pair = tuple[str, str]


def random_sessions(seed: int, sessions: int = 6, longest: int = 4) -> list[Session]:
    """Make sessions of a few topics with a few documents, in random order, clicked at random."""
    rng = random.Random(seed)
    made: list[Session] = []
    for _ in range(sessions):
        topic = rng.choice(["q1", "q2"])
        docs = rng.sample([f"{topic}-{n}" for n in range(5)], rng.randint(1, longest))
        rows = [(doc, rank, int(rng.random() < 0.4)) for rank, doc in enumerate(docs, 1)]
        made.append((topic, rows))
    return made


def log_of(sessions: list[Session]) -> ClickLog:
    """Return sessions as a log."""
    return gw.clicks.read_clicks(
        [
            (f"s{number}", topic, doc, rank, click)
            for number, (topic, rows) in enumerate(sessions)
            for doc, rank, click in rows
        ]
    )


def pairs_of(log: ClickLog) -> list[Pair]:
    """Return the topic and the document of each pair of a log."""
    topics = [log.topics[topic] for topic in log.topic_of_pair.tolist()]
    return list(zip(topics, log.docs.to_list(), strict=True))


def random_chances(seed: int, log: ClickLog) -> dict[Pair, float]:
    """Draw a chance for each pair."""
    rng = random.Random(seed)
    return {pair: rng.uniform(0.1, 0.9) for pair in pairs_of(log)}
