"""The collections of Ferrante, Ferro & Maistro: their qrels, and simulated runs in place of theirs.

The paper's runs are not public. As many are simulated, several times over; real runs of two other
collections are studied in the same way.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import gradewise.simulate.systems as systems
from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.collection.qrels import Qrels
from gradewise.collection.reading import read_qrels
from gradewise.reproduce.collections import both, read_judgments
from gradewise.reproduce.ferrante_printed import TREC_10, TREC_14, TREC_21

KEY = 3  # navigational pages (grade 4 of TREC 21) count as key ones
FEW = "R(1) >= 10 * R(2) > 0"
FEW_KEY = "R(1) >= 10 * R(3) > 0"
RULES = {
    "all topics": None,
    "topics with few highly relevant documents": FEW,
    "topics with few key documents": FEW_KEY,
}
SETS = 5  # of simulated runs


@dataclass(frozen=True)
class Track:
    """Judgments of the paper; what its Table 1 says, and its Table 2 or 3, are as printed.

    `statistics` are the numbers of topics, of topics with few highly relevant and few key
    documents, of runs above the first quartile, and the least, mean and most relevant documents.
    """

    name: str
    file: str
    topics: range | None
    runs: int
    parts: tuple[str, str]
    low: tuple[float, ...]
    statistics: tuple[str, ...]
    printed: str

    def read(self, folder: Path) -> Qrels:
        """Return the judgments, with at most three positive grades."""
        qrels = read_judgments(folder, self.file, self.topics)
        if qrels.scale.max() <= KEY:
            return qrels
        return read_qrels(
            {
                topic: {document: min(grade, KEY) for document, grade in grades.items()}
                for topic, grades in qrels.to_dict().items()
            }
        )


TWO, THREE = ("table2", "figure1"), ("table3", "figure2")
TRACKS = (
    Track(
        "TREC 10 Web", "adhoc.451-550", range(501, 551), 95, TWO, (0.1, 0.9),
        ("50", "17", "", "71", "2", "67.26", "372"), TREC_10,
    ),
    Track(
        "TREC 14 Robust", "robust05", None, 74, TWO, (0.1, 0.9),
        ("50", "6", "", "55", "9", "131.22", "376"), TREC_14,
    ),
    Track(
        "TREC 21 Web", "web.151-200", None, 27, THREE, (0.2, 0.2, 0.6),
        ("50", "10", "7", "20", "6", "70.46", "253"), TREC_21,
    ),
)  # fmt: skip


@dataclass(frozen=True)
class Studied:
    """A collection to study: one or more sets of runs, and what the paper prints of it, if any."""

    name: str
    parts: tuple[str, str]
    low: tuple[float, ...]
    sets: tuple[Judged, ...]
    printed: str = ""


def studied(folder: Path, parts: list[str], *, quick: bool, seed: int) -> Iterator[Studied]:
    """Yield the paper's qrels with simulated runs, then real collections, for some parts."""
    for track in TRACKS:
        if set(track.parts).isdisjoint(parts):
            continue
        qrels = track.read(folder)
        number, depth = (track.runs // 3, 300) if quick else (track.runs, 1000)
        sets = tuple(
            judge(qrels, systems.runs(qrels, number, depth, seed=seed + place))
            for place in range(1 if quick else SETS)
        )
        name = f"{track.name}, {number} simulated runs" + (f", {SETS} times" if not quick else "")
        yield Studied(name, track.parts, track.low, sets, track.printed)
    if not set(TWO).isdisjoint(parts):
        for collection in both(folder, most=30 if quick else None):
            judged = judge(collection.qrels, collection.runs)
            name = f"{collection.name}, {len(collection.runs)} real runs"
            yield Studied(name, TWO, (0.1, 0.9), (judged,))
