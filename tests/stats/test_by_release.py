"""Releases: their order, changes with intervals, paired or not, against an oracle."""

from datetime import date, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gradewise as gw
from gradewise.errors import InputError, OptionError
from gradewise.measures.releases import release_order
from oracles import groups as oracle
from oracles import statistics as statistics_oracle

Held = dict[str, dict[str, dict[str, float]]]  # release, run, topic


def scores_of(values: dict[str, dict[str, float]], measure: str = "AP") -> gw.Scores:
    rows = [(run, t, measure, v) for run, held in values.items() for t, v in held.items()]
    return gw.read_scores(
        pl.DataFrame(rows, schema=["run", "topic", "measure", "value"], orient="row")
    )


@pytest.fixture(scope="module")
def held() -> Held:
    """Four releases: topics are added in the second, replaced in the third; a run skips it."""
    rng = np.random.default_rng(6)
    sets = [range(20), range(5, 25), range(100, 118), range(100, 118)]
    releases: Held = {}
    for number, topics in enumerate(sets, 1):
        names = ["bm25", "neural"] if number != 3 else ["neural"]
        releases[f"v{number}"] = {
            run: {str(t): float(rng.beta(2, 3)) + 0.01 * number for t in topics} for run in names
        }
    releases["v4"]["neural"] = {t: v + 0.1 for t, v in releases["v3"]["neural"].items()}
    releases["v4"]["neural"]["100"] += 0.05
    return releases


def test_changes_are_those_of_the_definition(held: Held) -> None:
    found = gw.compare_releases({name: scores_of(each) for name, each in held.items()})
    rows = {(row["run"], row["release"]): row for row in found.changes.rows(named=True)}
    steps = {("bm25", "v2"): "v1", ("bm25", "v4"): "v2"}
    steps |= {("neural", "v2"): "v1", ("neural", "v3"): "v2", ("neural", "v4"): "v3"}
    assert {key for key, row in rows.items() if row["since"]} == set(steps)
    p = {}
    for (run, release), since in steps.items():
        row = rows[run, release]
        expected = oracle.change(held[since][run], held[release][run], 0.95)
        for name, value in expected.items():
            assert row[name] == pytest.approx(value, abs=1e-12), (run, release, name)
        shared = set(held[since][run]) & set(held[release][run])
        assert row["since"] == since
        assert row["shared"] == len(shared)
        assert row["paired"] == bool(shared)
        assert row["mean"] == pytest.approx(np.mean(list(held[release][run].values())))
        p[run, release] = row["p"]
    corrected = dict(zip(p, statistics_oracle.holm(list(p.values())), strict=True))
    for key, value in corrected.items():
        assert rows[key]["p_corrected"] == pytest.approx(value, abs=1e-12)
        assert rows[key]["significant"] == (value <= 0.05)
    assert rows["neural", "v4"]["significant"]


def test_findings_name_topics_that_changed(held: Held) -> None:
    found = gw.compare_releases({name: scores_of(each) for name, each in held.items()})
    told = " ".join(found.sentences())
    assert "AP: 1 of 5 changes from release to release is significant (1 gain, no losses)." in told
    assert "neural in v4: +0.103" in told
    assert "Topics were added or removed in v2: changes are over shared topics." in told
    assert "Too few topics of v3, v4 are shared with the previous release" in told
    whole = found.parts[0].whole
    place = found.parts[0].runs.index("neural")
    expected = oracle.change(held["v1"]["neural"], held["v4"]["neural"], 0.95)
    assert whole.change[place] == pytest.approx(expected["change"])
    assert not whole.paired[place]
    text = found.to_text()
    assert "0, unpaired" in text
    for made in (text, found.to_markdown(), found.to_latex(), found.to_html(), found.to_csv()):
        assert "neural" in made


def test_nothing_that_moved_is_said_to_be_chance() -> None:
    rng = np.random.default_rng(1)
    values = {str(t): float(rng.random()) for t in range(15)}
    other = {t: v + float(rng.normal(0, 0.1)) for t, v in values.items()}
    found = gw.compare_releases({"a": scores_of({"r": values}), "b": scores_of({"r": other})})
    assert found.sentences()[0].startswith(
        "AP: the one change from release to release is not significant"
    )
    same = gw.compare_releases({"a": scores_of({"r": values}), "b": scores_of({"r": values})})
    row = same.changes.row(1, named=True)
    assert (row["change"], row["p"], row["significant"]) == (0, 1, False)


@given(st.lists(st.integers(0, 2000), min_size=2, max_size=8, unique=True), st.randoms())
def test_dates_in_names_order_releases(days: list[int], random: object) -> None:
    start = date(2019, 12, 25)
    ordered = [start + timedelta(days=day) for day in sorted(days)]
    forms = ["main-%Y-%m-%d", "%Y%m%d", "%Y_%m_%d.eval", "z%Y.%m.%d"]
    names = [day.strftime(forms[place % 4]) for place, day in enumerate(ordered)]
    shuffled = list(names)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    places, told = release_order(shuffled)
    assert told == "date"
    assert [shuffled[place] for place in places] == names


def test_names_without_dates_are_ordered_by_number() -> None:
    names = ["v10", "v9", "v1.10", "v1.9", "rc"]
    places, told = release_order(names)
    assert told == "name"
    assert [names[place] for place in places] == ["rc", "v1.9", "v1.10", "v9", "v10"]


def test_a_folder_is_read(tmp_path: Path, held: Held) -> None:
    for (name, each), ending in zip(
        held.items(), ("parquet", "csv", "json", "csv.gz"), strict=True
    ):
        scores_of(each).save(tmp_path / f"2024-0{name[1]}.{ending}")
    (tmp_path / "README.md").write_text("what is this\n")
    (tmp_path / ".hidden").write_text("x")
    found = gw.compare_releases(tmp_path)
    assert found.releases == ("2024-01", "2024-02", "2024-03", "2024-04")
    assert f"{tmp_path}: left out 1 file without scores" in found.notes
    assert f"{tmp_path}: 4 releases, ordered by date" in found.notes
    direct = gw.compare_releases({name: scores_of(each) for name, each in held.items()})
    np.testing.assert_allclose(found.parts[0].steps.change, direct.parts[0].steps.change)


def test_one_run_for_each_release_is_one_system() -> None:
    one, two = ({str(t): t / 10 for t in range(5)}, {str(t): t / 20 for t in range(5)})
    found = gw.compare_releases({"a": scores_of({"x1": one}), "b": scores_of({"x2": two})})
    assert found.parts[0].runs == ("system",)
    assert found.notes == ("every release has one run; they are treated as versions of one system",)


def test_what_is_no_history_is_refused(tmp_path: Path, held: Held) -> None:
    with pytest.raises(InputError, match="expected a folder of saved scores"):
        gw.compare_releases(tmp_path / "absent")
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="expected a folder of saved scores"):
        gw.compare_releases(tmp_path / "file")
    (tmp_path / "file").unlink()
    with pytest.raises(InputError, match="at least 2 releases, but there are 0"):
        gw.compare_releases(tmp_path)
    scores_of(held["v1"]).save(tmp_path / "a.csv")
    with pytest.raises(InputError, match="at least 2 releases, but there is 1"):
        gw.compare_releases(tmp_path)
    scores_of(held["v1"]).save(tmp_path / "a.json")
    with pytest.raises(InputError, match="two files contain the scores of 'a'"):
        gw.compare_releases(tmp_path)
    (tmp_path / "a.json").unlink()
    scores_of(held["v1"], "RR").save(tmp_path / "b.csv")
    with pytest.raises(OptionError, match="no measure in common"):
        gw.compare_releases(tmp_path)
    with pytest.raises(OptionError, match="a: RR was not scored"):
        gw.compare_releases(tmp_path, "RR")
    (tmp_path / "c.parquet").write_bytes(b"PAR1 damaged PAR1")
    with pytest.raises(InputError, match=r"c\.parquet: cannot be read as parquet"):
        gw.compare_releases(tmp_path)
    with pytest.raises(InputError, match="name too long"):
        gw.compare_releases("x" * 5000)


def test_geometric_means_are_left_out_unless_asked_for() -> None:
    rows = [("r", str(t), m, 0.1 * t) for t in range(1, 5) for m in ("AP", "GMAP")]
    scores = gw.read_scores(
        pl.DataFrame(rows, schema=["run", "topic", "measure", "value"], orient="row")
    )
    found = gw.compare_releases({"a": scores, "b": scores})
    assert [str(part.measure) for part in found.parts] == ["AP"]
    with pytest.raises(OptionError, match="GMAP is a geometric mean"):
        gw.compare_releases({"a": scores, "b": scores}, "GMAP")
