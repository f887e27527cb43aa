"""Files beside qrels and runs: clicks, preferences, intents, sessions, attributes, texts, scores.

Click logs are compared with what Python's csv reads; all others only have to be answered.
"""

import io
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradewise as gw
from fuzz.inputs import damaged, delimited
from fuzz.stored import refused
from gradewise.collection.attributes import read_attributes
from gradewise.report.texts import read_texts

COLUMNS = ("session", "topic", "doc", "rank", "click")
CELLS = (("s1", "#3", "s 2", ""), ("q", "#q", "a b", ""), ("a", "d 4", "b", ""))


def check_clicks(rng: random.Random) -> str:
    """Read a click log between delimiters; an empty cell is refused, whatever stands beside it."""
    empty = rng.random() < 0.5
    rows: list[tuple[str, ...]] = []
    for number in range(rng.randrange(1, 7)):
        cells = [rng.choice(choices if empty else choices[:3]) for choices in CELLS]
        rank = rng.choice((str(number + 1), "")) if empty else str(number + 1)
        rows.append((*cells, rank, rng.choice(("0", "1", "") if empty else ("0", "1"))))
    rows = [row for row in rows if any(row)] or [("s", "q", "a", "1", "1")]
    content = delimited(rng, COLUMNS, rows)
    try:
        log = gw.clicks.read_clicks(io.BytesIO(content))
    except gw.GradewiseError as error:
        refused(error)
        return "refused"
    assert all(all(row) for row in rows), f"{content!r} gives {log}, but has empty cells"
    found = sorted(zip(log.rank.tolist(), log.click.tolist(), strict=True))
    assert found == sorted((int(row[3]), int(row[4])) for row in rows), f"{content!r} gives {log}"
    return "read"


READERS: tuple[tuple[Callable[[Path], Any], tuple[bytes, ...]], ...] = (
    (gw.read_preferences, (b"1 a b -1\n1 b c 1\n1 d NA -2\n2 a b 0\n",)),
    (gw.read_intent_weights, (b"0001 1 0.75 nav\n0001 2 0.25 inf\n", b"1\t2\t.5\n1\t3\t.5\n")),
    (gw.read_sessions, (b"s1 1 a 1 2.5 me\ns1 2 c 1 1.5 me\n", b"s 0 a 1 3 t\ns 1 a 1 3 t\n")),
    (
        lambda path: read_attributes(path, ["1", "2", "3", "4"]),
        (
            b"topic,intent,length\n1,buy,3\n2,learn,9\n3,buy,2\n4,learn,5\n",
            b"qid\tmarket\n1\tde\n2\t\n3\tfr\n4\t\xc3\xa9\n",
        ),
    ),
    (
        lambda path: read_texts(path, ["1", "2"]),
        (
            b"1\tsolar panels\n2\troofs\tand more\n",
            b'{"id": "1", "title": "t", "text": "x"}\n{"_id": "2", "text": ""}\n',
            b"<top>\n<num> Number: 1\n<title> a b\n<desc> c\n</top>\n<top>\n<num>2</num>\n</top>\n",
            b"<DOC>\n<DOCNO> 1 </DOCNO>\n<TITLE>a</TITLE>\n<TEXT>b</TEXT>\n</DOC>\n",
        ),
    ),
    (
        gw.read_scores,
        (
            b"run,topic,measure,value\na,1,AP,0.5\na,2,AP,0.25\nb,1,AP,1\nb,2,AP,0\n",
            b'{"a": {"1": {"AP": 0.5}, "2": {"AP": 0.1}}}',
            b'[{"run": "a", "topic": "1", "measure": "AP", "value": 0.5}]',
        ),
    ),
)


def check_beside(rng: random.Random) -> str:
    """Read a file with damage: it is read, or refused in a sentence."""
    read, contents = rng.choice(READERS)
    content = damaged(rng, rng.choice(contents))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "file")
        path.write_bytes(content)
        try:
            read(path)
        except gw.GradewiseError as error:
            return refused(error)
        except Exception as error:
            raise AssertionError(f"{content!r}: {error!r}") from error
    return "read"
