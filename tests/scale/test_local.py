"""One machine, out of core: the bits of `evaluate`, from text and parquet, written as they come."""

import io
import random
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.scale import run_stream
from gradewise.scale.sampling import in_sample
from scale.cases import KINDS, Case, bits, expected_values, measures_for, plain_case, rows_of


def _written(path: Path) -> dict[tuple[str, ...], str]:
    frame = pl.read_parquet(path)
    assert frame.columns == ["run", "topic", "measure", "value"]
    found = {(run, topic, measure): bits(value) for run, topic, measure, value in frame.rows()}
    assert len(found) == len(frame)
    return found


def _text_runs(case: Case, folder: Path) -> dict[str, Path]:
    paths = {}
    for name, topics in case.runs.items():
        paths[name] = folder / f"{name}.txt"
        gw.write_run(gw.read_run(topics, name), paths[name])
    return paths


def _parquet_runs(case: Case, folder: Path) -> dict[str, Path]:
    paths = {}
    for name, topics in case.runs.items():
        paths[name] = folder / f"{name}.parquet"
        pl.DataFrame(rows_of({name: topics})).drop("run").write_parquet(paths[name])
    return paths


@pytest.mark.parametrize("kind", KINDS)
def test_values_are_those_of_evaluate(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_stream, "_LISTS", 3)
    case = KINDS[kind](random.Random(kind))
    measures = measures_for(case)
    output = tmp_path / "scores.parquet"
    for runs in (_text_runs(case, tmp_path), _parquet_runs(case, tmp_path)):
        for missing in ("zero", "drop"):
            expected = gw.evaluate(case.qrels, case.runs, measures, missing=missing)
            found = gw.scale.local.evaluate(
                case.qrels, runs, measures, str(output), missing=missing
            )
            assert _written(output) == expected_values(case, measures, missing=missing)
            assert found.totals.summary() == pytest.approx(
                expected.summary(), rel=1e-12, nan_ok=True
            )
            assert [*found.notes, *found.fit.notes()] == expected.notes
            assert expected.coverage is not None
            assert found.fit.table().to_text() == expected.coverage.table().to_text()


@pytest.mark.parametrize(
    "rules",
    [{"ties": "input"}, {"ties": "random", "seed": 3}, {"depth": 5}, {"judged_only": True}],
    ids=str,
)
def test_rules_are_those_of_evaluate(rules: dict[str, Any], tmp_path: Path) -> None:
    case = plain_case(random.Random(5))
    measures = ["AP", "nDCG@10", "ADM", "NumRet"]
    output = tmp_path / "scores.parquet"
    gw.scale.local.evaluate(case.qrels, _parquet_runs(case, tmp_path), measures, output, **rules)
    assert _written(output) == expected_values(case, measures, **rules)


def test_preference_judgments(tmp_path: Path) -> None:
    rng = random.Random(4)
    lines = [
        f"t{topic} d{rng.randint(0, 20)} d{rng.randint(21, 40)} {rng.choice([-1, 1])}\n"
        for topic in range(8)
        for _ in range(15)
    ]
    qrels = gw.read_preferences(io.BytesIO("".join(lines).encode()))
    case = Case(qrels, {}, plain_case(rng, topics=8).runs)
    output = tmp_path / "scores.parquet"
    gw.scale.local.evaluate(qrels, _text_runs(case, tmp_path), ["ppref", "APpref"], str(output))
    assert _written(output) == expected_values(case, ["ppref", "APpref"])


def test_a_file_of_several_runs(tmp_path: Path) -> None:
    case = plain_case(random.Random(9))
    path, output = tmp_path / "all.parquet", tmp_path / "scores.parquet"
    pl.DataFrame(rows_of(case.runs)).write_parquet(path, row_group_size=400)
    gw.scale.local.evaluate(case.qrels, path, "AP", output)
    assert _written(output) == expected_values(case, ["AP"])


def test_a_share_of_the_topics(tmp_path: Path) -> None:
    case = plain_case(random.Random(9))
    output = tmp_path / "scores.parquet"
    runs = _text_runs(case, tmp_path)
    found = gw.scale.local.evaluate(case.qrels, runs, "GAP", output, share=0.4, seed=7)
    chosen = {topic for topic in case.qrels if in_sample(topic, 0.4, 7)}
    everything = expected_values(case, ["GAP"])
    assert _written(output) == {key: v for key, v in everything.items() if key[1] in chosen}
    assert found.fit.topics == len(chosen)


def test_text_and_values_that_can_be_loaded(tmp_path: Path) -> None:
    case = plain_case(random.Random(9))
    runs = _text_runs(case, tmp_path)
    expected = gw.evaluate(case.qrels, runs, ["AP", "nDCG@10"])
    for name in ("scores.csv", "scores.parquet"):
        gw.scale.local.evaluate(case.qrels, runs, ["AP", "nDCG@10"], tmp_path / name)
        loaded = gw.read_scores(tmp_path / name)
        assert loaded.summary() == pytest.approx(expected.summary())
        assert gw.compare(loaded).runs.equals(gw.compare(expected).runs)


def test_three_columns_are_looked_at_before_they_are_scored(tmp_path: Path) -> None:
    path, output = tmp_path / "run.txt", tmp_path / "scores.parquet"
    path.write_text("".join(f"t{t} d{d} {d if t else d + 0.5}\n" for t in (1, 0) for d in (1, 2)))
    qrels = {"t0": {"d2": 1}, "t1": {"d2": 1}}
    gw.scale.local.evaluate(qrels, path, "RR", output)
    assert pl.read_parquet(output)["value"].to_list() == [1.0, 1.0]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("1 Q0 a 1 2 x\n2 Q0 a 1 2 x\n1 Q0 b 2 1 x\n", "rows of topic 1 appear again"),
        ("1 Q0 a 1 2 x\n3 Q0 a 1 2 x\n1 Q0 b 2 1 x\n3 Q0 b 1 2 x\n", "appear again after those"),
        ("1 Q0 a 1 2 x\n1 Q0 a 2 1 x\n", "run: document a appears twice for topic 1"),
        ("1 Q0 a 1 2 x\n1 Q0 b 2 nan x\n", "run.txt:2: the score 'nan' is not a finite"),
        ("", "the file is empty"),
    ],
)
def test_problems_leave_no_file(rows: str, message: str, tmp_path: Path) -> None:
    path, output = tmp_path / "run.txt", tmp_path / "scores.parquet"
    path.write_text(rows)
    with pytest.raises(GradewiseError) as caught:
        gw.scale.local.evaluate({"1": {"a": 1}, "2": {"a": 1}}, path, "AP", output)
    assert message in str(caught.value)
    assert not output.exists()
    assert sorted(tmp_path.iterdir()) == [path]


def test_only_files_that_can_hold_values(tmp_path: Path) -> None:
    with pytest.raises(GradewiseError, match=r"written as \.parquet or \.csv"):
        gw.scale.local.evaluate({"t": {"a": 1}}, {"t": {"a": 1.0}}, "AP", tmp_path / "x.json")
