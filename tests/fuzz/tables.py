"""Frames, CSV, JSON and LETOR: read as a literal reader does, or refused in a sentence.

The literal readers use Python's csv and json, and loops over rows and words.
"""

import csv
import io
import json
import math
import random
from typing import Any

import polars as pl

import gradewise as gw
from fuzz.inputs import damaged
from fuzz.stored import refused

IDS = ("1", "007", "a b", "é", "x" * 70, "q,1", 'say "x"', "NA", "d#1", "1e5", "-3", "日本")
NUMBERS = (0, 1, 2, 3, -1, 0.5, -2.25, 1e300, 5e-324, 7.0, math.nan, math.inf, None)
Table = dict[str, dict[str, float]]


def _rows(rng: random.Random) -> list[tuple[Any, Any, Any]]:
    """Return rows of topic, document and number; some tables have a cell that is wrong."""
    numbers = NUMBERS[:8] if rng.random() < 0.7 else NUMBERS
    if rng.random() < 0.5:
        numbers = NUMBERS[:4]
    pairs = {(rng.choice(IDS), rng.choice(IDS)) for _ in range(rng.randrange(1, 9))}
    rows: list[tuple[Any, Any, Any]] = [(*pair, rng.choice(numbers)) for pair in sorted(pairs)]
    rng.shuffle(rows)
    if rng.random() < 0.15:
        place, cell = rng.randrange(len(rows)), rng.randrange(2)
        rows[place] = (*rows[place][:cell], rng.choice(("", None)), *rows[place][cell + 1 :])
    if rng.random() < 0.1:
        rows.append(rng.choice(rows))
    return rows


def _literal(rows: list[tuple[Any, Any, Any]], grades: bool) -> Table | None:
    """Return the table that rows say, or None if they have to be refused."""
    table: Table = {}
    for topic, doc, number in rows:
        if not topic or not doc or number is None or not math.isfinite(number):
            return None
        if grades and (number != math.floor(number) or abs(number) >= 2**53):
            return None
        inner = table.setdefault(topic, {})
        if doc in inner:
            return None
        inner[doc] = int(number) if grades else float(number)
    return table


def _compare(source: Any, rows: list[tuple[Any, Any, Any]], grades: bool) -> str:
    read = gw.read_qrels if grades else gw.read_run
    try:
        found: Table | None = read(source).to_dict()
    except gw.GradewiseError as error:
        refused(error)
        found = None
    expected = _literal(rows, grades)
    assert repr(found) == repr(expected), f"{rows} give {found}, but say {expected}"
    return "refused" if found is None else "read"


def check_frame(rng: random.Random) -> str:
    """Read a frame of polars, its rows as a lazy frame, as Arrow, or as a dictionary of columns."""
    rows, grades = _rows(rng), rng.random() < 0.5
    names = rng.choice((("topic", "doc"), ("qid", "docno"), ("query_id", "doc_id")))
    number = "grade" if grades else "score"
    columns = [*zip(*rows, strict=True)]
    kinds = (pl.String, pl.String, pl.Float64)
    data = dict(zip((*names, number), columns, strict=True))
    frame = pl.DataFrame(data, schema=dict(zip(data, kinds, strict=True)))
    if rng.random() < 0.3:
        frame = frame.with_columns(pl.col(names[0]).cast(pl.Categorical))
    order = rng.sample(frame.columns, 3)
    frame = frame.select(order).with_columns(pl.lit(1).alias("other"))
    made = rng.choice((frame, frame.lazy(), frame.to_arrow()))
    return _compare(made, rows, grades)


def check_csv(rng: random.Random) -> str:
    """Read what Python's csv wrote, or that with damage, which only has to be answered."""
    rows, grades = _rows(rng), rng.random() < 0.5
    delimiter, ending = rng.choice(",;|"), rng.choice(("\n", "\r\n"))
    quoting = rng.choice((csv.QUOTE_MINIMAL, csv.QUOTE_ALL, csv.QUOTE_NONNUMERIC))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=delimiter, lineterminator=ending, quoting=quoting)
    writer.writerow(("topic", "doc", "grade" if grades else "score"))
    writer.writerows(rows)
    content = text.getvalue().encode()
    changed = damaged(rng, content)
    if changed != content:
        return _answered(changed, grades)
    if any(cell in ("", None) for row in rows for cell in row):
        return _answered(content, grades)  # rows without a grade or a document are passed over
    return _compare(io.BytesIO(content), rows, grades)


def _answered(content: bytes, grades: bool) -> str:
    try:
        (gw.read_qrels if grades else gw.read_run)(io.BytesIO(content))
    except gw.GradewiseError as error:
        return refused(error)
    return "read"


def check_json(rng: random.Random) -> str:
    """Read {topic: {document: score}} or lines of rows, whole or with damage.

    What Python's json reads as such a table is read as that, or refused.
    """
    rows = [row for row in _rows(rng) if row[0] and row[1] and row[2] is not None]
    whole = _literal(rows, grades=False) or {"1": {"d": 1.0}}
    if rng.random() < 0.5:
        lines = [{"topic": t, "doc": d, "score": s} for t, inner in whole.items()
                 for d, s in inner.items()]  # fmt: skip
        text = "".join(json.dumps(line, ensure_ascii=rng.random() < 0.5) + "\n" for line in lines)
    else:
        text = json.dumps(whole, indent=rng.choice((None, 1)), ensure_ascii=rng.random() < 0.5)
    content = text.encode()
    changed = damaged(rng, content)
    expected = whole if changed == content else _json_table(changed)
    try:
        found = gw.read_run(io.BytesIO(changed)).to_dict()
    except gw.GradewiseError as error:
        return refused(error, clean=changed == content)
    if expected is not None:
        assert repr(found) == repr(expected), f"{changed!r} gives {found}, but says {expected}"
    return "read"


def _json_table(content: bytes) -> Table | None:
    """Return what Python's json reads, if it is a table of finite numbers with no key twice.

    Whole numbers are read as others are, since -0 is a number of its own, too.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len({key for key, _ in pairs}) < len(pairs):
            raise ValueError
        return dict(pairs)

    try:
        text = content.removeprefix(b"\xef\xbb\xbf")
        found: Table = json.loads(text, object_pairs_hook=once, parse_int=float)
        if not all(type(x) is float for inner in found.values() for x in inner.values()):
            return None
    except (ValueError, AttributeError, RecursionError):
        return None
    finite = all(math.isfinite(x) for inner in found.values() for x in inner.values())
    return {topic: inner for topic, inner in found.items() if inner} if finite and found else None


def check_letor(rng: random.Random) -> str:
    """Read documents with features, whole or with damage, which only has to be answered."""
    rows = [
        (rng.randrange(4), f"t{topic}", {n: rng.choice((0.0, 1.5, -2.0, 1e-3)) for n in
                                         sorted(rng.sample(range(1, 6), rng.randrange(1, 4)))})
        for topic in range(rng.randrange(1, 4))
        for _ in range(rng.randrange(1, 4))
    ]  # fmt: skip
    lines = [
        f"{grade} qid:{topic} " + " ".join(f"{n}:{x!r}" for n, x in features.items()) + f" # d{n}"
        for n, (grade, topic, features) in enumerate(rows)
    ]
    content = (rng.choice(("\n", "\r\n")).join(lines) + "\n").encode()
    changed = damaged(rng, content)
    try:
        found = gw.learn.read_letor(io.BytesIO(changed))
    except gw.GradewiseError as error:
        return refused(error, clean=changed == content)
    if changed == content:
        assert found.grades.tolist() == [grade for grade, _, _ in rows]
        assert found.topics == tuple(dict.fromkeys(topic for _, topic, _ in rows))
        width = max(max(features) for _, _, features in rows)
        expected = [[features.get(n, 0.0) for n in range(1, width + 1)] for _, _, features in rows]
        assert abs(found.features - expected).max() < 1e-6
    return "read"
