"""Inputs that are nearly right: files and measures with a little damage, by a seed."""

import csv
import io
import random
from collections.abc import Sequence

from gradewise.measures.parameters import PARAMETERS
from gradewise.measures.registry import PLACES, find_measure

SEPARATORS = (b" ", b" ", b" ", b" ", b"  ", b"\t", b"\v", b"\f", b" \v ")
NEWLINES = (b"\n", b"\n", b"\n", b"\r\n", b"\r", b"\n\n", b" \n", b"\n  ")
TOPICS = (b"1", b"2", b"007", b"7", b"NA", b"1e5", b"d#", "é".encode(), b"x" * 9, b"z" * 70)
GRADES = (b"0", b"1", b"2", b"3", b"-1", b"+3", b"10", b"L0", b"L2", b"2.0")
SCORES = (b"0", b"1.5", b"-2.25", b"1e3", b".5", b"7.", b"1e-400", b"123456789.123456789", b"-0")
NOISE = (
    *(b" ", b"\t", b"\n", b"\r", b"\r\n", b"#", b".", b"-", b"e", b"\x00", b"\xff", b'"', b","),
    *(b"L", b"-L1", b"<SYSDESC>", b"nan", b"inf", b"\n#\n", b"\xef\xbb\xbf", b"1_0", b"0x1", b"{"),
    *("日本語".encode(), "\u2028".encode(), b"9" * 400, b"topic", b"\x1b[2J", b"=1+1", b"qid:"),
)
MEASURES = ("AP", "nDCG@10", "P@5", "GAP(g=[.5,.5])@100", "RBP(p=.8)", "ndcg_cut.10", "P.5,10")
NAMES = sorted({name for names in PLACES.values() for name in names})
VALUES = (
    "0.5",
    "2",
    "[0.5,0.5]",
    "'R'",
    "linear",
    "True",
    "{1:2}",
    "-1",
    "1e99",
    "None",
    "exp",
    "[",
)
PIECES = ("@", "(", ")", "=", ",", "[", "]", " ", "-", "1", "9" * 30, "g", "nan", "'", "é", "_at_")


def run_file(rng: random.Random) -> bytes:
    """Return a run of TREC's six columns, or of three."""
    wide, separator = rng.random() < 0.7, rng.choice(SEPARATORS)
    rows = []
    for number in range(rng.randrange(1, 9)):
        score = rng.choice(SCORES) if rng.random() < 0.5 else repr(rng.uniform(-9, 9)).encode()
        row = [rng.choice(TOPICS), b"doc%d" % rng.randrange(12), score]
        if wide:
            row = [row[0], b"Q0", row[1], b"%d" % number, row[2], b"tag"]
        rows.append(separator.join(row))
    return _file(rng, rows)


def qrels_file(rng: random.Random) -> bytes:
    """Return qrels of four columns, or of three."""
    wide, separator = rng.random() < 0.7, rng.choice(SEPARATORS)
    rows = []
    for _ in range(rng.randrange(1, 9)):
        row = [rng.choice(TOPICS), b"doc%d" % rng.randrange(12), rng.choice(GRADES[:6])]
        rows.append(separator.join([row[0], b"0", *row[1:]] if wide else row))
    return _file(rng, rows)


def _built_measure(rng: random.Random) -> str:
    """Return the name of any measure, with values for some of its parameters, and a cutoff."""
    name = rng.choice(NAMES)
    kinds = find_measure(name).__mro__
    known = [each for kind in kinds for each in vars(kind).get("__annotations__", ())]
    own = [each for each in known if each in PARAMETERS]
    given = rng.sample(own, rng.randrange(min(len(own), 2) + 1))
    inside = ",".join(f"{each}={rng.choice(VALUES)}" for each in given)
    return name + (f"({inside})" if given else "") + rng.choice(("", "@10", "@1", "@5,10"))


def measure_text(rng: random.Random) -> str:
    """Return a measure with something added, taken away or changed."""
    text = rng.choice(MEASURES) if rng.random() < 0.5 else _built_measure(rng)
    for _ in range(rng.randrange(4)):
        place = rng.randrange(len(text) + 1)
        text = text[:place] + rng.choice(PIECES) + text[place + rng.randrange(3) :]
    return text


def damaged(rng: random.Random, content: bytes) -> bytes:
    """Damage a file a little, or not at all: bytes go, come or change, and lines come twice."""
    for _ in range(rng.choice((0, 0, 1, 1, 2, 3))):
        place, kind = rng.randrange(len(content) + 1), rng.randrange(5)
        noise = rng.choice(NOISE) if rng.random() < 0.7 else rng.randbytes(rng.randrange(1, 4))
        if kind == 0:
            content = content[:place] + content[place + rng.randrange(1, 6) :]
        elif kind == 1:
            content = content[:place] + noise + content[place:]
        elif kind == 2:
            content = content[:place] + noise + content[place + len(noise) :]
        elif kind == 3:
            lines = content.split(b"\n")
            line = rng.randrange(len(lines))
            content = b"\n".join([*lines[: line + 1], *lines[line:]])
        else:
            new = rng.choice(SEPARATORS + NEWLINES)
            content = content.replace(rng.choice(SEPARATORS), new, rng.randrange(1, 10))
    return content


def delimited(rng: random.Random, names: Sequence[str], rows: Sequence[Sequence[object]]) -> bytes:
    """Return rows as Python's csv writes them, below a header, with columns in any order."""
    order = rng.sample(range(len(names)), len(names))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=rng.choice(",;|\t"), lineterminator="\n")
    writer.writerow([names[place] for place in order])
    writer.writerows([[row[place] for place in order] for row in rows])
    return text.getvalue().encode()


def _file(rng: random.Random, rows: list[bytes]) -> bytes:
    newline = rng.choice(NEWLINES)
    start = rng.choice((b"", b"", b"", b"# comment\n", b"\xef\xbb\xbf", b" \n\n"))
    return damaged(rng, start + newline.join(rows) + rng.choice((b"", newline, b"\n# end")))
