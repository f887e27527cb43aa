"""The output of trec_eval 10, from gradewise's values."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.collection.reading import read_qrels, read_run
from gradewise.errors import GradewiseError, InputError, check_least
from gradewise.measures.counts import NumRel
from gradewise.measures.trec_eval import (
    GROUPS,
    Line,
    Settings,
    choose_lines,
    level_grades,
    relevance_string,
)

_SMALLEST = 1e-5  # in a geometric mean
_ONLY_SUMMARY = {"runid", "num_q", "gm_map", "gm_bpref"}
_WHOLE = {"num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"}
# trec_eval scores a missing topic as a list of one unjudged document, and then sets these to 0.
_ZERO_IF_MISSING = {"num_ret", "utility", "rbp_resid"}


class MissingTopicError(GradewiseError):
    """A judged topic is missing from the run, and -c was not given."""


@dataclass(frozen=True)
class _Column:
    line: Line
    values: Floats | list[str]


def trec_output(
    qrels_source: str,
    run_source: str,
    *,
    measures: Sequence[str] = (),
    per_topic: bool = False,
    summary: bool = True,
    complete: bool = False,
    judged_only: bool = False,
    level: int = 1,
    depth: int | None = None,
    collection_size: int = 0,
) -> str:
    """Return the output of trec_eval for the same files and options."""
    check_least(1, **{"-l": level, "-M": depth})
    lines = choose_lines(measures, Settings(level, collection_size))
    run = read_run(run_source)
    qrels = read_qrels(qrels_source)
    if qrels.sample is not None:
        raise InputError(
            f"{qrels_source}: trec_eval's qrels have 4 columns, not 5; gradewise eval reads "
            "sampled pools"
        )
    if qrels.intents is not None and len(qrels.intents.numbers) > len(qrels):
        raise InputError(
            f"{qrels_source}: documents are judged more than once, for different intents, which "
            "trec_eval refuses; gradewise eval reads judgments by intent"
        )
    judged = judge(qrels, run, negative="unjudged")
    missing = judged.retrieved == 0
    if not complete and missing.any():
        topic = judged.topics[int(np.flatnonzero(missing)[0])]
        raise MissingTopicError(
            f"topic {topic} is judged but missing from the run; use -c to score it as 0"
        )
    judged = replace(judged, retrieved=np.where(missing, 1, judged.retrieved))
    if depth is not None:
        judged = judged.cut(depth)
    if judged_only:
        judged = judged.condensed
    tag = run.tag or run.name
    columns = [_Column(line, _values(line, judged, missing, tag)) for line in lines]
    order = sorted(range(len(judged.topics)), key=lambda i: judged.topics[i].encode("utf-8"))
    out = []
    if per_topic:
        for index in order:
            topic = judged.topics[index]
            out += [
                _format(column.line.name, topic, column.values[index])
                for column in columns
                if column.line.name not in _ONLY_SUMMARY
            ]
    if summary:
        out += [
            _format(column.line.name, "all", _total(column, judged, order, complete=complete))
            for column in columns
            if not column.line.name.startswith("relstring")
        ]
    return "".join(out)


def _values(line: Line, judged: Judged, missing: Bools, tag: str) -> Floats | list[str]:
    if line.name == "runid":
        return [tag] * len(judged)
    if line.measure is None:
        grades = level_grades(judged)
        strings = [relevance_string(judged, grades, row, line.length) for row in range(len(judged))]
        blank = line.name == "relstring"
        return [
            f"'{'' if blank and gone else s}'" for s, gone in zip(strings, missing, strict=True)
        ]
    values = line.measure.values(judged)
    if line.name in _ZERO_IF_MISSING or line.name.startswith("unj"):
        return np.where(missing, 0.0, values)
    return values


def _total(column: _Column, judged: Judged, order: list[int], *, complete: bool) -> float | str:
    """Return the summary, added up topic after topic as trec_eval does."""
    if isinstance(column.values, list):
        return column.values[0]
    if column.line.name == "num_rel" and complete:  # trec_eval counts these whatever -l says
        return float(NumRel().values(judged).sum())
    assert column.line.measure is not None
    values, aggregate = column.values[order], column.line.measure.aggregate
    if aggregate == "geometric":
        values = np.log(np.maximum(values, _SMALLEST))
    total = float(np.add.accumulate(values)[-1])
    if aggregate == "sum":
        return total
    mean = total / len(values)
    return math.exp(mean) if aggregate == "geometric" else mean


def _format(name: str, topic: str, value: float | str) -> str:
    if isinstance(value, str):
        shown = value
    elif name in _WHOLE:
        shown = f"{value:.0f}"
    else:
        shown = f"{value:6.4f}"
    return f"{name:<22}\t{topic}\t{shown}\n"


def trec_help(usage: str, measures: Sequence[str]) -> str:
    """Return help on the options, and on the measures that were asked for."""
    text = f"""{usage}

Score a run against judgments and print the output of trec_eval 10.

  -q  also print the values of each topic         -n  omit the summary
  -c  score judged topics missing from the run 0  -l  lowest relevant grade (1)
  -M  number of documents to use per list         -J  drop unjudged documents first
  -N  documents in the collection (for utility)   -m  measure; repeat for more

Measures are written as name or name.parameters: -m map, -m P.5,10, -m ndcg.1=3,2=9.
Groups of measures: {", ".join(GROUPS)}. Default: official.
As in trec_eval, documents with a negative grade are unjudged.

Examples:
  gradewise trec-eval -q -m map qrels.txt bm25.txt
"""
    documented = {
        line.name: "The tag of the run, or the grades of its first documents."
        if line.measure is None
        else (type(line.measure).__doc__ or "").strip()
        for line in (choose_lines(measures, Settings()) if measures else [])
    }
    explained = [f"{name}\n{'=' * len(name)}\n\n{doc}\n" for name, doc in documented.items()]
    return "\n".join([text, *explained])
