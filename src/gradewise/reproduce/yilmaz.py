"""Yilmaz & Robertson 2010, On the Choice of Effectiveness Measures for Learning to Rank.

Table 1 and Figures 1 and 3 study the runs of TREC 9 and 10, which are not public: the same method
is applied to runs that are (`yilmaz_informativeness`). What the paper trains is in
`yilmaz_training`; it needs no folder. nDCG has the paper's gains, 2^grade - 1, throughout.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

from gradewise.reproduce.result import Section

ON_RUNS = ("table1", "figure1", "figure3")
TRAINED = ("table2", "table3", "table4", "table5", "figure4", "figure5")
PARTS = (
    *("table1", "table2", "table3", "table4", "table5"),
    *("figure1", "figure3", "figure4", "figure5"),
)


def sections(
    folder: Path | None,
    parts: Sequence[str] = PARTS,
    *,
    quick: bool = False,
    seed: int = 0,
    jobs: int = 1,
    keep: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> list[Section]:
    """Return the requested parts on other data; ON_RUNS need a folder, TRAINED need none."""
    found = []
    if "table1" in parts:
        from gradewise.reproduce.yilmaz_informativeness import example_section

        found.append(example_section())
    if not set(ON_RUNS).isdisjoint(parts) and folder is not None:
        from gradewise.reproduce.yilmaz_informativeness import sections_on_runs

        found += sections_on_runs(
            folder, parts, quick=quick, seed=seed, jobs=jobs, keep=keep, progress=progress
        )
    trained = [part for part in parts if part in TRAINED]
    if trained:
        from gradewise.reproduce.yilmaz_sets import Work
        from gradewise.reproduce.yilmaz_training import trained_sections

        work = Work(jobs, keep, progress)
        found += trained_sections(folder, trained, work, quick=quick, seed=seed)
    return found
