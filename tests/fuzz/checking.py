"""What has to hold for any input: the answer of a literal reader, or a refusal in a sentence."""

import io
import random
from collections import Counter
from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import gradewise as gw
from fuzz import inputs
from fuzz.beside import check_beside, check_clicks
from fuzz.delimited import check_runs, check_tabs
from fuzz.options import check_options
from fuzz.stored import check_kept, check_model
from fuzz.tables import check_csv, check_frame, check_json, check_letor
from gradewise import parallel
from gradewise.collection.sources import blocks
from oracles.reading import Refused, Table, literal_qrels, literal_run

PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\x00", b"BZh")
# Which may be read as JSON or CSV, where quotes and white space have other rules.
OTHER = (b"{", b"[", b",", b'"')


class Finding(AssertionError):
    """An input for which something does not hold."""


def check_number(seed: int, number: int) -> str:
    """Make the input with a number, check it, and return what kind of answer it got."""
    rng = random.Random(f"{seed}-{number}")
    kind = rng.choices(list(KINDS), WEIGHTS)[0]
    try:
        return f"{kind}: {KINDS[kind](rng)}"
    except Exception as error:
        raise Finding(f"input {number} of seed {seed}, {kind}: {error!r}") from error


def _read(read: Callable[[Any], Any], content: bytes) -> Any:
    try:
        return read(io.BytesIO(content))
    except gw.GradewiseError as error:
        if not str(error).strip():
            raise Finding("an error without a word") from error
        return None


def _literally(read: Callable[[bytes], Table], content: bytes) -> Table | None:
    try:
        return read(content)
    except Refused:
        return None


def _join(rng: random.Random) -> str:
    """Read qrels and a run, compare both with the literal readers, and their join as well."""
    qrels, run = inputs.qrels_file(rng), inputs.run_file(rng)
    if any(content.lstrip(b"\xef\xbb\xbf").startswith(PACKED) for content in (qrels, run)):
        return "compressed"
    unsure = any(mark in content for content in (qrels, run) for mark in OTHER)
    unsure |= any(len(line.split()) == 5 for line in qrels.splitlines())  # may name strata
    with patch.object(blocks, "BLOCK", rng.choice((blocks.BLOCK, blocks.BLOCK, 48, 1))):
        found = _read(gw.read_qrels, qrels), _read(gw.read_run, run)
    if unsure:
        return "may be another format"
    expected = _literally(literal_qrels, qrels), _literally(literal_run, run)
    for ours, theirs, content in zip(found, expected, (qrels, run), strict=True):
        given = None if ours is None else repr(ours.to_dict())
        if given != (None if theirs is None else repr(theirs)):
            raise Finding(f"{content!r} gives {given}, but says {theirs}")
    if expected[0] is None or expected[1] is None:
        return "refused"
    _compare_joined(*found, *expected)
    return "joined"


def _compare_joined(qrels: gw.Qrels, run: gw.Run, judged: Table, ranked: Table) -> None:
    """Compare the ranks at which documents with a positive grade stand, and counts of them."""
    scores = gw.evaluate(qrels, {"run": run}, ["RR", "P@3", "NumRelRet"])
    for place, topic in enumerate(scores.topics):
        held = ranked.get(topic, {})
        order = sorted(held, key=lambda doc: (held[doc], doc.encode()), reverse=True)
        hits = [n for n, doc in enumerate(order, 1) if judged[topic].get(doc, 0) > 0]
        expected = [
            1 / hits[0] if hits else 0.0,
            sum(hit <= 3 for hit in hits) / 3,
            float(len(hits)),
        ]
        if max(abs(a - b) for a, b in zip(expected, scores.values[0, place], strict=True)) > 1e-12:
            raise Finding(f"{topic}: {scores.values[0, place]}, but {expected}: {held} {judged}")


def _measure(rng: random.Random) -> str:
    try:
        measure = gw.parse_measure(inputs.measure_text(rng))
    except gw.GradewiseError:
        return "refused"
    if gw.parse_measure(str(measure)) != measure:
        raise Finding(f"{measure} is not read as it is written")
    return "read"


KINDS: dict[str, Callable[[random.Random], str]] = {
    "join": _join,
    "measure": _measure,
    "letor": check_letor,
    "csv": check_csv,
    "tabs": check_tabs,
    "runs": check_runs,
    "clicks": check_clicks,
    "beside": check_beside,
    "json": check_json,
    "frame": check_frame,
    "options": check_options,
    "model": check_model,
    "kept": check_kept,
}
WEIGHTS = (53, 8, 6, 5, 4, 2, 2, 4, 5, 4, 3, 2, 2)


def check_numbers(seed: int, numbers: range) -> tuple[Counter[str], list[str]]:
    """Check inputs; return how many got which answer, and what was found."""
    answers: Counter[str] = Counter()
    findings = []
    with patch.object(parallel, "thread_count", lambda: 1):  # inputs are small
        for number in numbers:
            try:
                answers[check_number(seed, number)] += 1
            except Finding as found:
                findings.append(str(found))
    return answers, findings
