"""Moffat's tables to the printed digit, and his figures on other judgments."""

from pathlib import Path

import numpy as np
import pytest

from command import Call
from gradewise.reproduce import moffat


def test_tables_agree() -> None:
    sections = moffat.tables()
    assert [section.name for section in sections] == ["table1", "table2", "table3"]
    assert [len(section.numbers) for section in sections] == [27, 77, 24]
    assert not [failure for section in sections for failure in section.failures]
    assert not [row.what for row in sections[1].numbers if "ours" in row.what]  # same documents


def test_the_lines_of_figure_2() -> None:
    # Section 4: the conservative constant is 3.58, the other one S_20 times 15/16.
    gains = np.array([0, 1, 3, 7, 15]) / 16
    high, low = moffat.scaling_constants(gains).values()
    assert f"{low:.2f}" == "3.58"
    assert high == pytest.approx(sum(1 / np.log2(n + 1) for n in range(1, 21)) * 15 / 16)


def test_figures(real_data: Path) -> None:
    sections = moffat.figures(real_data)
    assert [section.name for section in sections] == ["figure1", "figure2"] * 3
    # Ferrante et al. (2014), Table 1: TREC 21 Web has 6 to 253 relevant documents a topic.
    assert sections[0].table.rows[0][:2] == ["1+", "253"]
    assert sections[0].table.rows[0][3] == "6"
    for section in sections:
        assert not section.failures
        assert section.chart is not None
        assert section.chart().to_dict()["$schema"]


def test_tables_need_no_data(run: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GRADEWISE_DATA", raising=False)
    code, out, _ = run("reproduce", "moffat:table3")
    assert code == 0
    assert "MED(AP)" in out
    assert run("reproduce", "moffat:figure1").code == 1
