"""Collections of every kind, as one machine reads them and as tables for engines."""

import io
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

import gradewise as gw
from gradewise.errors import MeasureError
from gradewise.measures.registry import all_measures

DOCUMENTS = [f"d{number}" for number in range(150)]
Runs = dict[str, dict[str, dict[str, float]]]
# Parameters that are not whole numbers, so that sums are rounded.
FURTHER = [
    "GAP(g=[0.1,0.2,0.7])",
    "xGAP(g=[0.1,0.2,0.7])",
    "eGAP(g=[0.1,0.2,0.7])",
    "nDCG(gains={1:0.1,2:0.7,3:1.3})@7",
    "Q(gains={1:0.1,2:0.7,3:1.3})",
    "GenAP(gains={1:0.1,2:0.7,3:1.3})",
    "G(gains={1:0.1,2:0.7,3:1.3})",
    "CWL(user='inst',T=2.5)",
    "AP(judged_only=True)",
]


def every_measure() -> list[str]:
    """Return each measure of the registry, with and without a cutoff where it may have one."""
    found = []
    for measure in all_measures():
        for cutoff in ("", "@10", "@0.5"):
            try:
                parsed = gw.parse_measure(measure.name + cutoff)
                parsed.check_cutoff()
            except MeasureError:
                continue
            found.append(str(parsed))
    return list(dict.fromkeys(found))


def measures_for(case: "Case") -> list[str]:
    """Return the measures that the judgments of a case allow."""
    judged = gw.judge(case.qrels, case.runs, scores=True)
    allowed = []
    for name in [*every_measure(), *(FURTHER if len(judged.scale) == 3 else [])]:
        if gw.parse_measure(name).uses_sessions:
            continue
        try:
            gw.score_judged(judged, name)
        except MeasureError:
            continue
        allowed.append(name)
    return allowed


@dataclass(frozen=True)
class Case:
    """Judgments and runs for one machine, and as columns of tables."""

    qrels: Any
    judgments: dict[str, list[Any]]
    runs: Runs

    def judgment_table(self, rng: random.Random | None = None) -> Any:
        """Return the judgments as a table, in any order."""
        return _shuffled(self.judgments, rng)

    def row_table(self, rng: random.Random | None = None) -> Any:
        """Return the rows of all runs as a table, in any order; `order` tells that of the input."""
        return _shuffled(rows_of(self.runs), rng)


def rows_of(runs: Runs) -> dict[str, list[Any]]:
    """Return runs as columns."""
    rows = [
        (run, topic, doc, score, place)
        for run, topics in runs.items()
        for topic, docs in topics.items()
        for place, (doc, score) in enumerate(docs.items())
    ]
    names = ("run", "topic", "doc", "score", "order")
    return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))


def _shuffled(columns: dict[str, list[Any]], rng: random.Random | None) -> Any:
    table = pa.table(columns)
    order = list(range(table.num_rows))
    if rng is not None:
        rng.shuffle(order)
    return table.take(order)


def draw_runs(rng: random.Random, topics: list[str], *, runs: int = 4) -> Runs:
    """Draw runs that miss topics, have topics that nobody judged, and many equal scores."""
    return {
        f"run{number}": {
            topic: {
                doc: float(rng.randint(0, 30)) / 7
                for doc in rng.sample(DOCUMENTS, rng.randint(1, 90))
            }
            for topic in [*topics, "unjudged"]
            if rng.random() < 0.85
        }
        for number in range(runs)
    }


def plain_case(rng: random.Random, *, levels: int = 3, topics: int = 25) -> Case:
    """Draw grades on a scale of some levels, few of which a topic has."""
    grades = [-1, 0, 0, *range(1, levels + 1)]
    qrels = {
        f"t{number}": {doc: rng.choice(grades) for doc in rng.sample(DOCUMENTS, rng.randint(1, 60))}
        for number in range(topics)
    }
    columns = {
        "topic": [topic for topic, docs in qrels.items() for _ in docs],
        "doc": [doc for docs in qrels.values() for doc in docs],
        "grade": [grade for docs in qrels.values() for grade in docs.values()],
    }
    return Case(qrels, columns, draw_runs(rng, list(qrels)))


def intent_case(rng: random.Random) -> Case:
    """Draw judgments by intent; some topics have one intent only."""
    qrels = {
        f"t{number}": {
            f"i{intent}": {
                doc: rng.choice([0, 0, 1, 2, 3])
                for doc in rng.sample(DOCUMENTS, rng.randint(3, 40))
            }
            for intent in range(rng.randint(1, 5))
        }
        for number in range(20)
    }
    rows = [(t, i, d, g) for t, a in qrels.items() for i, b in a.items() for d, g in b.items()]
    columns = dict(
        zip(("topic", "intent", "doc", "grade"), map(list, zip(*rows, strict=True)), strict=True)
    )
    return Case(qrels, columns, draw_runs(rng, list(qrels)))


def strata_case(rng: random.Random) -> Case:
    """Draw a pool sampled by strata."""
    plain = plain_case(rng).judgments
    strata = [rng.randint(0, 3) for _ in plain["topic"]]
    lines = zip(plain["topic"], plain["doc"], strata, plain["grade"], strict=True)
    text = "".join(f"{t} 0 {d} {s} {g}\n" for t, d, s, g in lines)
    return _read_case(rng, text, {**plain, "stratum": strata})


def probability_case(rng: random.Random) -> Case:
    """Draw a pool sampled with probabilities."""
    plain = plain_case(rng).judgments
    chances = [rng.uniform(0.05, 1) for _ in plain["topic"]]
    lines = zip(plain["topic"], plain["doc"], plain["grade"], chances, strict=True)
    text = "".join(f"{t} {d} {g} 1 {p!r}\n" for t, d, g, p in lines)
    return _read_case(rng, text, {**plain, "probability": chances})


def _read_case(rng: random.Random, text: str, columns: dict[str, list[Any]]) -> Case:
    qrels = gw.read_qrels(io.BytesIO(text.encode()))
    return Case(qrels, columns, draw_runs(rng, list(qrels.topics)))


KINDS: dict[str, Callable[[random.Random], Case]] = {
    "plain": plain_case,
    "many levels": lambda rng: plain_case(rng, levels=12),
    "intents": intent_case,
    "strata": strata_case,
    "probabilities": probability_case,
}


def expected_values(case: Case, measures: list[str], **rules: Any) -> dict[tuple[str, ...], str]:
    """Return what one process computes, {(run, topic, measure): the bits of the value}."""
    scores = gw.evaluate(case.qrels, case.runs, measures, **rules).per_topic
    return {(run, topic, measure): bits(value) for run, topic, measure, value in scores.rows()}


def found_values(table: Any) -> dict[tuple[str, ...], str]:
    """Return the same of a table with the columns run, topic, measure, value."""
    rows = table.to_pylist()
    found = {(r["run"], r["topic"], r["measure"]): bits(r["value"]) for r in rows}
    assert len(found) == len(rows), "a list was scored twice"
    return found


def bits(value: float | None) -> str:
    """Return all digits of a number, so that NaN equals NaN and 0 is not -0.

    Frames of pandas know no difference between NaN and a missing value.
    """
    return float("nan" if value is None else value).hex()
