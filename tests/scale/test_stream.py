"""Sorted rows that stream by: the same bits however they are cut, in memory of the longest list."""

import random
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from gradewise.errors import GradewiseError
from gradewise.scale import stream
from gradewise.scale.bucket import Collection
from gradewise.scale.outcome import long_table
from gradewise.scale.settings import Settings
from gradewise.scale.stream import header, score_stream
from scale.cases import KINDS, Case, expected_values, found_values, plain_case

_SCHEMA = pa.schema({"topic": "str", "run": "str", "doc": "str", "number": "float64"})
MEASURES = ["AP", "nDCG@10", "infNDCG", "statAP", "ADM", "NumRet", "ERR", "INST"]


def _sorted_rows(case: Case, rng: random.Random) -> Any:
    """Return judgments and rows as engines send them: by topic, judgments first, then by run."""
    judged, rows = case.judgment_table(rng), case.row_table(rng)
    judged = judged.rename_columns(["number" if n == "grade" else n for n in judged.column_names])
    rows = rows.rename_columns(["number" if n == "score" else n for n in rows.column_names])
    judged = judged.set_column(
        judged.column_names.index("number"), "number", judged["number"].cast(pa.float64())
    )
    both = pa.concat_tables([judged, rows], promote_options="default")
    keys = list(zip(both["topic"].to_pylist(), both["run"].to_pylist(), strict=True))
    return both.take(sorted(range(len(keys)), key=lambda row: (keys[row][0], keys[row][1] or "")))


def _cut(rng: random.Random, table: Any, largest: int) -> list[Any]:
    """Return a table in batches, some of which are empty."""
    table, low, batches = table.combine_chunks(), 0, []
    while low < table.num_rows:
        size = rng.randint(0, largest)
        columns = {n: table[n].slice(low, size).combine_chunks() for n in table.column_names}
        batches.append(pa.record_batch(columns))
        low += size
    return batches


@pytest.mark.parametrize("chunk", [1, 60, 1000])
@pytest.mark.parametrize("kind", KINDS)
def test_however_rows_are_cut(kind: str, chunk: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "CHUNK", chunk)
    rng = random.Random(f"{kind} {chunk}")
    case = KINDS[kind](rng)
    table = _sorted_rows(case, rng)
    grades = sorted({grade for grade in case.judgments["grade"] if grade > 0})
    whole = Collection(tuple(case.runs), pa.array(grades).to_numpy())
    measures = [name for name in MEASURES if kind != "probabilities" or name != "infNDCG"]
    for largest, missing in ((7, "zero"), (50, "drop"), (3000, "zero")):
        settings = Settings.of(measures, missing=missing)
        parts = list(score_stream(_cut(rng, table, largest), settings, whole))
        found = found_values(long_table(pa.concat_tables(parts), settings))
        assert found == expected_values(case, measures, missing=missing)


def test_buckets_one_after_the_other() -> None:
    rng = random.Random(3)
    case = plain_case(rng)
    table = _sorted_rows(case, rng)
    first = pa.table({"doc": [header(list(case.runs), [1, 2, 3])]})
    names = sorted(set(case.judgments["topic"]))
    pieces = []
    for topics in (names[:7], [], [*names[7:], "unjudged"]):
        mine = table.filter(pc.is_in(table["topic"], pa.array(topics, pa.string())))
        pieces += [first, mine]
    both = pa.concat_tables(pieces, promote_options="default").select(table.column_names)
    settings = Settings.of(MEASURES)
    parts = list(score_stream(_cut(rng, both, 40), settings, None))
    found = found_values(long_table(pa.concat_tables(parts), settings))
    assert found == expected_values(case, MEASURES)


def test_a_long_list_is_kept_without_its_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream, "CHUNK", 10)
    open_list = stream._OpenList(("t", "r"))
    batch = pa.record_batch(
        {"topic": ["t"] * 8, "run": ["r"] * 8, "doc": list("abcdefgh"), "number": [1.0] * 8}
    )
    for _ in range(3):
        open_list.add(batch)
    assert open_list.slim
    assert all(piece.schema.names == ["doc", "number"] for piece in open_list.pieces)
    taken = open_list.taken()
    assert taken["doc"].to_pylist() == list("abcdefgh") * 3
    assert taken["run"].to_pylist() == ["r"] * 24


@pytest.mark.parametrize(
    ("doc", "score", "told"),
    [
        ("a", 2.0, "run r: document a appears twice for topic t"),
        (" ", 2.0, "run r, topic t: the document id is empty"),
        (None, 2.0, "run r, topic t: the document id is empty"),
        ("x", float("nan"), "run r, topic t, document x: the score is missing, or not a number"),
        ("x", None, "run r, topic t, document x: the score is missing, or not a number"),
    ],
)
def test_what_is_wrong_with_a_long_list_is_told(
    doc: str | None, score: float | None, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Long lists and short ones take different ways, to the same words."""
    judgments = {"topic": ["t"], "run": [None], "doc": ["a"], "number": [1.0]}
    rows = {"topic": ["t"] * 27, "run": ["r"] * 27}
    rows |= {"doc": [*map(chr, range(97, 123)), doc], "number": [*map(float, range(26)), score]}  # type: ignore[dict-item]
    tables = [pa.table(each, schema=_SCHEMA) for each in (judgments, rows)]
    batches = pa.concat_tables(tables).to_batches(max_chunksize=5)
    whole = Collection(("r",), pa.array([1]).to_numpy())
    for chunk in (10, 1000):
        monkeypatch.setattr(stream, "CHUNK", chunk)
        with pytest.raises(GradewiseError) as caught:
            list(score_stream(batches, Settings.of("AP", strict=True), whole))
        assert str(caught.value) == told


def test_rows_without_a_header_are_refused() -> None:
    batch = pa.record_batch({"topic": ["t"], "run": ["r"], "doc": ["a"], "number": [1.0]})
    with pytest.raises(GradewiseError, match="came without the runs"):
        list(score_stream([batch], Settings.of("AP"), None))
