"""The same log from every kind of source; what is wrong is said with its place."""

import bz2
import gzip
import io
import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import gradewise as gw
from gradewise.clicks import ClickLog
from gradewise.clicks.columns import NAMES

ROWS = [
    ("s1", "q1", "a", 1, 0),
    ("s1", "q1", "b", 2, 1),
    ("s2", "q2", "c", 1, 1),
    ("s2", "q2", "a", 3, 0),
    ("s3", "q1", "b", 1, 0),
]
HEADER = ("session", "topic", "doc", "rank", "click")
FRAME = pl.DataFrame(ROWS, schema=list(HEADER), orient="row")


def csv(delimiter: str = ",", header: tuple[str, ...] | None = HEADER) -> bytes:
    lines = [*([header] if header else []), *ROWS]
    return "".join(delimiter.join(map(str, line)) + "\n" for line in lines).encode()


def check(log: ClickLog) -> None:
    assert log.topics == ("q1", "q2")
    assert log.sessions.to_list() == ["s1", "s2", "s3"]
    assert log.offsets.tolist() == [0, 2, 4, 5]
    assert log.frame.select(pl.col("rank", "click").cast(pl.Int64)).rows() == [
        row[3:] for row in ROWS
    ]
    assert log.frame.select("session", "topic", "doc").rows() == [row[:3] for row in ROWS]


def sources(folder: Path) -> dict[str, Any]:
    """Every kind of source of the same rows."""
    named = [dict(zip(HEADER, row, strict=True)) for row in ROWS]
    contents = {
        "log.csv": csv(),
        "log.tsv": csv("\t"),
        "log.txt": csv(" ", None),
        "bare.csv": csv(",", None),
        "log.csv.gz": gzip.compress(csv()),
        "log.csv.bz2": bz2.compress(csv()),
        "log.jsonl": "".join(json.dumps(row) + "\n" for row in named).encode(),
        "log.json": json.dumps(named).encode(),
        "words.jsonl": "".join(
            json.dumps({**row, "click": bool(row["click"])}) + "\n" for row in named
        ).encode(),
        "names.csv": csv(",", ("Session ID", "query", "url", "position", "clicked")),
    }
    for name, content in contents.items():
        (folder / name).write_bytes(content)
    FRAME.write_parquet(folder / "log.parquet")
    FRAME.with_columns(pl.col("click").cast(pl.Boolean)).write_parquet(folder / "words.parquet")
    return {
        **{name: folder / name for name in [*contents, "log.parquet", "words.parquet"]},
        "stream": io.BytesIO(csv()),
        "polars": FRAME,
        "lazy": FRAME.lazy(),
        "pandas": pd.DataFrame(FRAME.to_dict(as_series=False)),
        "pandas words": pd.DataFrame(FRAME.to_dict(as_series=False)).astype({"click": bool}),
        "columns": FRAME.to_dict(as_series=False),
        "tuples": ROWS,
        "dictionaries": named,
        "words": [(*row[:4], bool(row[4])) for row in ROWS],
    }


def test_every_kind_of_source_gives_the_same_log(tmp_path: Path) -> None:
    for name, source in sources(tmp_path).items():
        try:
            check(gw.read_clicks(source))
        except Exception as error:
            raise AssertionError(name) from error
    with (tmp_path / "log.csv").open("rb") as file:
        check(gw.read_clicks(file))


def test_what_was_assumed_is_noted(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_bytes(csv(",", ("sid", "query", "url", "position", "clicked")))
    with pytest.raises(gw.InputError, match="no column contains the session; name it with columns"):
        gw.read_clicks(tmp_path / "log.csv")
    given = {"session": "sid", "topic": "query", "doc": "url", "rank": "position"}
    check(gw.read_clicks(tmp_path / "log.csv", columns={**given, "click": "clicked"}))
    (tmp_path / "log.csv").write_bytes(csv(",", ("session", "query", "url", "position", "click")))
    (note,) = gw.read_clicks(tmp_path / "log.csv").notes
    assert note == (
        "clicks: read session from 'session', topic from 'query', document from 'url', rank from "
        "'position', click from 'click'"
    )
    assert gw.read_clicks(FRAME).notes == ()


def test_rows_may_come_in_any_order() -> None:
    mixed = [ROWS[i] for i in (3, 4, 1, 0, 2)]
    log = gw.read_clicks(mixed)
    assert sorted(log.frame.rows()) == sorted(ROWS)
    assert log.sessions.to_list() == ["s2", "s3", "s1"]


def test_without_ranks_the_order_tells_them() -> None:
    log = gw.read_clicks(FRAME.drop("rank"))
    assert log.rank.tolist() == [1, 2, 1, 2, 1]
    assert log.notes == ("clicks: ranks from the order of rows",)


def test_columns_in_their_order() -> None:
    swapped = [(doc, session, topic, click, rank) for session, topic, doc, rank, click in ROWS]
    check(gw.read_clicks(swapped, columns="doc,session,topic,click,rank"))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("s1,q1,b,2,1", "s1,q1,b,2,3", "log.csv:3: the click must be 0 or 1, not 3: s1,q1,b,2,3"),
        ("s1,q1,b,2,1", "s1,q1,b,0,1", "log.csv:3: the rank must be a whole number from 1 to 1000"),
        ("s1,q1,b,2,1", "s1,q1,b,1.5,1", "log.csv:3: the rank must be a whole number"),
        ("s1,q1,b,2,1", "s1,q1,b,1,1", "session s1 has two documents at rank 1 for topic q1"),
        ("s1,q1,b,2,1", "s1,q1,b,2,yes", "log.csv:3: the click 'yes' is not a finite number"),
        ("s1,q1,b,2,1", "s1,q1,b,first,1", "log.csv:3: the rank 'first' is not a finite number"),
        ("s1,q1,b,2,1", ",q1,b,2,1", "log.csv:3: the session id is empty"),
        ("s1,q1,b,2,1", "s1,,b,2,1", "log.csv:3: the topic id is empty"),
        ("s1,q1,b,2,1", "s1,q1,,2,1", "log.csv:3: the document id is empty"),
        ("s1,q1,b,2,1", "s1,q1,,2,", "log.csv:3: the document id is empty"),
        ("s1,q1,b,2,1", "s1,,b,,1", "log.csv:3: the topic id is empty"),
        ("s1,q1,b,2,1", "s1,q1,b,2", "log.csv:3: "),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    tmp_path: Path, old: str, new: str, told: str
) -> None:
    path = tmp_path / "log.csv"
    path.write_bytes(csv().replace(old.encode(), new.encode()))
    with pytest.raises(gw.InputError) as caught:
        gw.read_clicks(path)
    assert told in str(caught.value)


def test_what_is_no_log_is_refused(tmp_path: Path) -> None:
    (tmp_path / "empty.csv").touch()
    with pytest.raises(gw.InputError, match="there are no rows"):
        gw.read_clicks(tmp_path / "empty.csv")
    with pytest.raises(gw.InputError, match="there are no rows"):
        gw.read_clicks([])
    with pytest.raises(gw.InputError, match="cannot be read"):
        gw.read_clicks(tmp_path / "nothing.csv")
    with pytest.raises(gw.GradewiseError, match="a click log must be a path"):
        gw.read_clicks(3)
    with pytest.raises(gw.InputError, match="expected 5 columns"):
        gw.read_clicks([("s", "q", "d", 1)])
    with pytest.raises(gw.GradewiseError, match="there is no role 'score'; "):
        gw.read_clicks(ROWS, columns="session,topic,doc,score,click")


def test_no_name_stands_for_two_things() -> None:
    names = [name for known in NAMES.values() for name in known]
    assert len(names) == len(set(names))


def test_some_sessions() -> None:
    log = gw.read_clicks(ROWS)
    training, held_out = log.split(0.34, seed=3)
    assert (len(training), len(held_out)) == (2, 1)
    both = sorted([*training.frame.rows(), *held_out.frame.rows()])
    assert both == sorted(ROWS)
    with pytest.raises(gw.GradewiseError, match="share must be between 0 and 1"):
        log.split(1.0)


def test_levels_of_documents_under_judgments() -> None:
    log = gw.read_clicks(ROWS)
    qrels = gw.read_qrels({"q1": {"a": 4, "b": -1}, "q3": {"c": 2}, "q2": {"a": 2}})
    levels = dict(
        zip(log.frame.select("topic", "doc").rows(), log.levels(qrels)[log.pair], strict=True)
    )
    assert levels == {("q1", "a"): 2, ("q1", "b"): 0, ("q2", "c"): -1, ("q2", "a"): 1}


def test_click_rates_of_ranks() -> None:
    rates = gw.read_clicks(ROWS).rates()
    assert rates.rows() == [(1, 3, 1, 1 / 3), (2, 1, 1, 1.0), (3, 1, 0, 0.0)]
