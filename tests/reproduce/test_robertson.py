"""Robertson, Kanoulas & Yilmaz: what is proved, what is trained, and figures on other runs."""

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from gradewise.collection.join import judge
from gradewise.measures.evaluate import score_judged
from gradewise.reproduce import robertson, robertson_figure2
from gradewise.reproduce.collections import Collection
from gradewise.reproduce.robertson_theory import about_gap
from gradewise.simulate import collection


def test_what_the_text_proves() -> None:
    section = about_gap()
    assert len(section.properties) == 7
    assert all(claim.holds and claim.necessary for claim in section.properties)
    # By hand, g = (.5, .5), R(1) = 3, R(2) = 2, denominator 3.5: the list 11122 gives
    # .5 + .5 + .5 + (3 * .5 + 1) / 4 + (3 * .5 + 2) / 5.
    assert section.table.rows[1][0] == "11122"
    assert float(section.table.rows[1][1]) == pytest.approx((1.5 + 0.625 + 0.7) / 3.5, abs=5e-5)


def test_table_1_needs_no_data() -> None:
    theory, table = robertson.sections(None, ["table1", "table2", "figure2"], quick=True)
    assert (theory.name, table.name) == ("table1", "table1")
    assert "30/15/30 simulated topics for each of 2 seeds" in table.title
    assert "over seeds" in table.properties[0].detail
    assert not table.failures
    assert len(table.properties) == 13
    assert all(not claim.necessary for claim in table.properties)
    # Table 1, typed again: SoftRank for GAP, and LambdaRank for AP.
    assert table.table.rows[1][:3] == ["softrank", "GAP", "0.6290"]
    assert table.table.rows[5][::2] == ["lambdarank", "0.6296", "0.6217", "0.5360"]
    # +.0128 = .6290 - .6162, the gain of SoftRank in nDCG@10 by training for GAP.
    assert table.properties[0].detail.endswith("+0.0128 in the paper")
    assert table.chart is not None
    assert table.chart().to_dict()["$schema"]


def test_best_runs_are_so_by_both_measures() -> None:
    made = collection(topics=3, runs=40, depth=60, seed=4)
    judged = judge(made.qrels, made.runs)
    found = robertson.best_runs(Collection("simulated", made.qrels, made.runs), judged)
    scores = score_judged(judged, robertson.MEASURES)
    tops = []
    for measure in range(2):
        means = {run: scores.values[n, :, measure].mean() for n, run in enumerate(judged.runs)}
        tops.append(set(sorted(means, key=means.__getitem__, reverse=True)[:15]))
    assert set(found) == tops[0] & tops[1]
    assert len(found) < 15
    assert all(found[name] is made.runs[name] for name in found)


def test_claims_about_curves() -> None:
    measures = ["GAP(g=[0.0,1.0])", "GAP(g=[0.5,0.5])", "GAP(g=[1.0,0.0])"]
    measures += ["nDCG(dcg='exp-log2')", "nDCG", *robertson_figure2.STEEP.values()]
    paper = np.array(
        [[0.25, 0.15, 0.16, 0.20, 0.20, 0.30, 0.30], [0.15, 0.18, 0.25, 0.19, 0.19, 0.30, 0.30]]
    )

    def claims(errors: NDArray[np.float64]) -> list[bool]:
        found = robertson_figure2.about_curves(dict(zip(measures, errors.T, strict=True)))
        return [claim.holds for claim in found]

    assert claims(paper) == [True] * 7
    assert claims(paper[:, [2, 1, 0, 4, 3, 5, 6]] + [0, 0.1, 0, 0, 0.02, 0, -0.1]) == [False] * 7


@pytest.mark.slow
def test_claims_are_told_not_asserted(real_data: Path) -> None:
    sections = robertson.sections(real_data, ["table2", "figure2", "figure3"], quick=True)
    assert [s.name for s in sections] == ["table2", *["figure2", "figure3", "figure3"] * 2]
    for section in sections:
        assert not section.failures
        assert all(not claim.necessary for claim in section.properties)
        assert section.chart is not None
        assert section.chart().to_dict()["$schema"]
