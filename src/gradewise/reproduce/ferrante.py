"""Ferrante, Ferro & Maistro 2014, Rethinking How to Extend Average Precision: Tables and Figures.

Table 1 comes from the qrels. The runs of the other tables and figures are not public: runs are
simulated for the paper's qrels, and real runs of other collections are studied beside them.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from gradewise.arrays import Ints
from gradewise.collection.qrels import Qrels
from gradewise.meta.topics import choose_runs
from gradewise.reproduce.ferrante_examples import about_examples
from gradewise.reproduce.ferrante_figures import figure_sections
from gradewise.reproduce.ferrante_tables import QUARTILE, table_section
from gradewise.reproduce.ferrante_tracks import TRACKS, studied
from gradewise.reproduce.result import Reproduced, Section, numbers_section

PAPER = "ferrante-2014"
PARTS = ("table1", "table2", "table3", "figure1", "figure2")
SERIES = 10  # of samples of the pool, for each set of runs
_LABELS = (
    "topics",
    "with few highly relevant",
    "with few key",
    "runs above the quartile",
    "least relevant",
    "average",
    "most",
)


def sections(
    folder: Path | None,
    parts: Sequence[str] = PARTS,
    *,
    quick: bool = False,
    seed: int = 0,
    progress: Callable[[int], None] | None = None,
    **unused: Any,
) -> list[Section]:
    """Return Table 1, and Tables 2-3 and Figures 1-2 with simulated and with real runs."""
    if folder is None:
        return []
    found = []
    if "table1" in parts:
        title = "Ferrante et al. (2014), Table 1: topics"
        found.append(numbers_section("table1", title, table_1(folder), about_examples()))
    wanted = [part for part in parts if part != "table1"]
    for study in studied(folder, wanted, quick=quick, seed=seed) if wanted else ():
        table, figure = study.parts
        if table in wanted:
            found.append(table_section(table, study))
        if figure in wanted:
            replicates = 2 if quick else SERIES
            found += figure_sections(
                figure, study, replicates=replicates, seed=seed, progress=progress
            )
    return found


def table_1(folder: Path) -> list[Reproduced]:
    """Return the statistics of topics in the qrels, and how many runs are used."""
    rows = []
    for track in TRACKS:
        counts = _counts(track.read(folder))
        relevant = counts.sum(axis=1)
        few = [
            int(((counts[:, 0] >= 10 * counts[:, k]) & (counts[:, k] > 0)).sum())
            for k in (1, counts.shape[1] - 1)
        ]
        used = choose_runs(np.arange(track.runs, dtype=np.float64), QUARTILE).sum()
        ours = (len(counts), *few, used, relevant.min(), relevant.mean(), relevant.max())
        rows += [
            Reproduced(PAPER, "1", f"{track.name}, {label}", text, float(value), exact=True)
            for label, text, value in zip(_LABELS, track.statistics, ours, strict=True)
            if text
        ]
    return rows


def _counts(qrels: Qrels) -> Ints:
    """Return how many documents of each positive grade the topics have."""
    owner = np.arange(len(qrels.topics)).repeat(qrels.sizes)
    counts = np.zeros((len(qrels.topics), len(qrels.scale)), np.int64)
    relevant = qrels.levels > 0
    np.add.at(counts, (owner[relevant], qrels.levels[relevant] - 1), 1)
    return counts
