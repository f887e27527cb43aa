"""Every printed digit as trec_eval's: sums are taken in its order.

The witness for values of topics is pytrec_eval, which runs trec_eval 9; its lists are given as
ranks, since version 9 compares scores as floats. Recall levels are left out: version 10 rounds them
otherwise.
"""

import gzip
from collections import defaultdict
from pathlib import Path

import pytest
import pytrec_eval

from gradewise.report.trec_eval import trec_output

Rows = dict[str, dict[str, float]]
LEFT_OUT = ("runid", "relstring", "iprec", "11pt", "num_q", "gm_")


def _read(path: Path) -> list[list[str]]:
    with gzip.open(path, "rt") if path.suffix == ".gz" else path.open() as lines:
        return [line.split() for line in lines]


def _ranked(rows: list[list[str]]) -> Rows:
    """Score documents by their rank: by score, then by id, both descending."""
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for row in rows:
        scores[row[0]][row[2]] = float(row[4])
    return {
        topic: {
            d: float(n) for n, d in enumerate(sorted(inner, key=lambda d: (inner[d], d.encode())))
        }
        for topic, inner in scores.items()
    }


def _count_differences(qrels: Path, run: Path) -> tuple[int, int]:
    """Return how many values were compared, and how many are printed differently."""
    grades: dict[str, dict[str, int]] = defaultdict(dict)
    for topic, _, document, grade in _read(qrels):
        grades[topic][document] = int(grade)
    names = {m for m in pytrec_eval.supported_measures if not m.startswith(LEFT_OUT)}
    found = pytrec_eval.RelevanceEvaluator(grades, names).evaluate(_ranked(_read(run)))
    output = trec_output(str(qrels), str(run), measures=["all_trec"], per_topic=True, complete=True)
    ours = {tuple(part.strip() for part in row.split("\t")) for row in output.splitlines()}
    whole = {name for name, topic, value in ours if topic == "all" and "." not in value}
    theirs = set()
    for name in next(iter(found.values())):
        total = 0.0
        for topic in sorted(found, key=str.encode):
            total += found[topic][name]
            theirs.add((name, topic, _show(found[topic][name], whole=name in whole)))
        mean = total if name in whole else total / len(found)
        theirs.add((name, "all", _show(mean, whole=name in whole)))
    known = {(name, topic) for name, topic, _ in ours}
    theirs = {row for row in theirs if row[:2] in known}
    return len(theirs), len(theirs - ours)


def _show(value: float, *, whole: bool) -> str:
    return f"{value:.0f}" if whole else f"{value:6.4f}"


def test_summaries_are_added_up_topic_after_topic(tmp_path: Path) -> None:
    """P_200 of 100 topics: added pairwise, their mean is printed as 0.0961, not 0.0960."""
    found = [19, 20, 18, 20, 19, 19, 20, 19, 19, 19] * 10
    found[:2] = [18, 22]
    (tmp_path / "qrels").write_text(
        "".join(f"{t} 0 d{i} 1\n" for t, n in enumerate(found) for i in range(n))
    )
    (tmp_path / "run").write_text(
        "".join(f"{t} Q0 d{i} 0 {-i} tag\n" for t in range(100) for i in range(200))
    )
    compared, different = _count_differences(tmp_path / "qrels", tmp_path / "run")
    assert compared > 5000
    assert different == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["SABIR03BASE", "UIUC03Rd1", "fub03IeOLKe3", "rutcor03100"])
def test_real_runs(name: str, real_data: Path) -> None:
    """Runs on which another order of summing shows in a printed digit."""
    run = real_data / "robust03-runs" / f"input.{name}.gz"
    compared, different = _count_differences(real_data / "qrels" / "qrels.robust03.txt.gz", run)
    assert compared > 7000
    assert different == 0
