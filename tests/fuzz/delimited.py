"""Text between delimiters: fields that are empty or begin with "#", headers, and runs by column."""

import contextlib
import io
import random
from unittest.mock import patch

import gradewise as gw
from fuzz.inputs import delimited
from fuzz.stored import refused
from gradewise.collection.sources import blocks
from oracles.reading import Refused, Table, literal_qrels, literal_run

IDS = ("#", "#a", "q 1", "q", "a b", "#x y", "", "d#")
NUMBERS = ("1", "2", "0", "3.5", "-1", "x", "", "2.0", "L1")
GRADED = (("topic", "doc", "grade"), ("topic", "iteration", "doc", "grade"))
RANKED = (("topic", "doc", "score"), ("topic", "q0", "doc", "rank", "score", "other"))


def _cell(rng: random.Random, column: str) -> str:
    if column in ("topic", "doc"):
        return rng.choice(IDS)
    if column in ("grade", "score"):
        return rng.choice(NUMBERS)
    return rng.choice({"rank": ("1", "", "2"), "other": ("t",)}.get(column, ("0", "Q0")))


def _tabbed(rng: random.Random, columns: tuple[str, ...]) -> bytes:
    """Return lines with tabs: rows, perhaps a header, and comments that look like one."""
    lines = []
    for _ in range(rng.randrange(1, 5)):
        cells = [_cell(rng, column) for column in columns]
        change = rng.random()
        lines.append("\t".join(cells[:-1] if change < 0.05 else cells + ["y"] * (change > 0.93)))
    if rng.random() < 0.3:
        lines.insert(rng.randrange(2), "\t".join(columns))
    if rng.random() < 0.3:
        lines.insert(0, "#" + "\t".join(columns))
    if rng.random() < 0.2:
        lines.insert(0, "# comment")
    return rng.choice(("\n", "\r\n")).join(lines).encode()


def check_tabs(rng: random.Random) -> str:
    """Read a file with tabs as the literal readers do, whatever the size of blocks."""
    grades = rng.random() < 0.5
    content = _tabbed(rng, rng.choice(GRADED if grades else RANKED))
    if grades and any(len(line.split()) == 5 for line in content.splitlines()):
        return "may name strata"
    read, literal = (gw.read_qrels, literal_qrels) if grades else (gw.read_run, literal_run)
    found: Table | None = None
    expected: Table | None = None
    with patch.object(blocks, "BLOCK", rng.choice((blocks.BLOCK, 48, 1))):
        try:
            found = read(io.BytesIO(content)).to_dict()
        except gw.GradewiseError as error:
            refused(error)
    with contextlib.suppress(Refused):
        expected = literal(content)
    assert repr(found) == repr(expected), f"{content!r} gives {found}, but says {expected}"
    return "refused" if found is None else "read"


def check_runs(rng: random.Random) -> str:
    """Read several runs, named by a column, as Python's csv does; an empty id is refused."""
    empty = rng.random() < 0.4
    cells = (("q", "#q", "a b"), ("d1", "d2", "d 3"), ("1", "0.5", "-2"), ("one", "two", "#3"))
    rows: dict[tuple[str, str, str], float] = {}
    for _ in range(rng.randrange(1, 9)):
        topic, doc, score, run = (rng.choice(choices) for choices in cells)
        rows[run, topic, doc] = float(score)
    table = [(topic, doc, score, run) for (run, topic, doc), score in rows.items()]
    if empty:
        place, column = rng.randrange(len(table)), rng.choice((0, 1, 3))
        row = list(table[place])
        row[column] = ""
        table[place] = (row[0], row[1], float(row[2]), row[3])
    content = delimited(rng, ("topic", "doc", "score", "run"), table)
    found = None
    with patch.object(blocks, "BLOCK", rng.choice((blocks.BLOCK, 48, 1))):
        try:
            runs = gw.read_runs(io.BytesIO(content))
            found = {
                (run, topic, doc): score
                for run, held in runs.items()
                for topic, docs in held.to_dict().items()
                for doc, score in docs.items()
            }
        except gw.GradewiseError as error:
            refused(error)
    if len({row[3] for row in table}) == 1 and found:  # one run is named by the file
        found = {(table[0][3], topic, doc): score for (_, topic, doc), score in found.items()}
    assert found == (None if empty else rows), f"{content!r} gives {found}, but says {rows}"
    return "refused" if found is None else "read"
