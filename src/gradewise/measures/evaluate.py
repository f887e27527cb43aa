"""evaluate and score: from judgments and runs, or from grades alone, to values."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.accepted import QrelsLike, RunsLike
from gradewise.collection.coverage import coverage
from gradewise.collection.join import judge
from gradewise.collection.judged import Judged
from gradewise.collection.one_list import judge_list
from gradewise.collection.sources.given import ColumnsLike
from gradewise.collection.ties import Ties
from gradewise.collection.topics import TopicsLike
from gradewise.errors import MeasureError, check_choice
from gradewise.measures.grammar import MeasureLike, as_list, parse_measure, parse_measures
from gradewise.measures.measure import Measure, check_probabilities
from gradewise.measures.missing import MISSING, Missing
from gradewise.measures.scores import Scores
from gradewise.progress import watched


@watched("runs")
def evaluate(
    qrels: QrelsLike,
    runs: RunsLike,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    ties: Ties = "trec",
    seed: int = 0,
    depth: int | None = None,
    judged_only: bool = False,
    missing: Missing = "zero",
    topics: TopicsLike | None = None,
    residual: QrelsLike | None = None,
    columns: ColumnsLike | None = None,
    progress: Callable[[str], None] | None = None,
) -> Scores:
    """Score runs.

    Parameters
    ----------
    qrels
        Judgments, or anything that `read_qrels` takes.
    runs
        One run, a list, or a dictionary {name: run}; each a Run or anything that `read_run`
        takes. Files are read and joined one by one, so only their hits stay in memory.
        With a measure of sessions, such as nsDCG, anything that `read_sessions` takes.
    measures
        Names such as "nDCG@10" or "GAP(g=[0.5,0.5])", or measures.
    ties
        The order of documents with equal scores: "trec" (greater id first, as in trec_eval 10),
        "input" (as given) or "random" (drawn from `seed`).
    depth
        Use only this many documents of each list.
    judged_only
        Drop unjudged documents from lists before scoring (condensed lists).
    missing
        What a judged topic that a run misses is worth: "zero", or "drop" to leave it out of the
        summary of that run.
    topics
        The topics to score, all by default: a file with a topic on each line; ids, as a list or as
        comma-separated text; a rule that counts judged documents, such as "R(2) > 0"; or a regular
        expression that may match anywhere in an id.
    residual
        Judgments of an earlier round: their documents are removed from the runs and from `qrels`,
        as in TREC-COVID (residual collection).
    columns
        What the columns of files and frames contain, if their names do not say: "topic,doc,score",
        or {"topic": "q", "doc": "d", "score": "sim"}; see `judge`.
    progress
        Called with the name of each run when it has been read.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"t1": {"a": 2, "b": 1}, "t2": {"a": 1}}
    >>> run = {"t1": {"a": 0.9, "x": 0.8, "b": 0.7}, "t2": {"x": 0.5, "a": 0.4}}
    >>> scores = gw.evaluate(qrels, {"mine": run}, ["AP", "nDCG@10"])
    >>> scores.mean["value"].round(4).to_list()
    [0.6667, 0.7906]
    """
    parsed = as_measures(measures)
    judged = judge(
        qrels,
        runs,
        ties=ties,
        seed=seed,
        depth=depth,
        residual=residual,
        scores=any(measure.uses_scores for measure in parsed),
        columns=columns,
        sessions=any(measure.uses_sessions for measure in parsed),
        progress=progress,
    )
    if topics is not None:
        judged = judged.of_topics(topics)
    return score_judged(judged, parsed, judged_only=judged_only, missing=missing)


def score_judged(
    judged: Judged,
    measures: MeasureLike | Iterable[MeasureLike],
    *,
    judged_only: bool = False,
    missing: Missing = "zero",
) -> Scores:
    """Score lists that `judge` has joined already; see `evaluate` for the parameters.

    Several calls share what measures derive from the hits alike.

    Examples
    --------
    >>> import gradewise as gw
    >>> judged = gw.judge({"t": {"a": 2, "b": 1}}, {"t": {"b": 2.0, "a": 1.0}})
    >>> gw.score_judged(judged, ["AP", "RR"]).summary()
    array([[1., 1.]])
    """
    check_choice("missing", missing, MISSING)
    parsed = as_measures(measures)
    shape = (len(judged.runs), len(judged.topics))
    counted: Bools = np.ones(shape, np.bool_)
    if missing == "drop":
        counted = judged.retrieved.reshape(shape) > 0
    summary = coverage(judged)
    if judged_only:
        judged = judged.condensed
    values = np.stack([measure.values(judged).reshape(shape) for measure in parsed], axis=2)
    return Scores(judged.runs, judged.topics, parsed, values, counted, summary)


def score(
    measure: MeasureLike,
    grades: Sequence[int | None],
    relevant: Mapping[int, int],
    *,
    scores: Sequence[float] | None = None,
) -> float:
    """Score a single list, given the grades of its documents in rank order.

    Parameters
    ----------
    measure
        A name such as "nDCG@10" or "GAP(g=[0.5,0.5])", or a measure.
    grades
        The grade at each rank; None where the document is unjudged.
    relevant
        How many documents of each grade the topic has, retrieved or not. It names every positive
        grade of the scale, with 0 where the topic has none. Judged documents that are not relevant
        may be counted under 0.
    scores
        The score at each rank, for measures that use scores (ADM).

    Examples
    --------
    >>> import gradewise as gw
    >>> round(gw.score("xGAP(g=[0.3,0.7])", grades=[2, 0, 1], relevant={1: 10, 2: 1}), 4)
    0.7455
    """
    parsed = parse_measure(measure)
    return float(parsed.values(judge_list(grades, relevant, scores=scores))[0])


def swap_deltas(
    measure: MeasureLike, grades: Sequence[int | None], relevant: Mapping[int, int]
) -> Floats:
    """Return how a measure changes when two documents of a list trade places.

    Entry [a, b] is the value after the documents at ranks a+1 and b+1 have traded places, less
    the value before. Unjudged documents count as not relevant.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.swap_deltas("P@1", grades=[0, 1], relevant={1: 1})
    array([[0., 1.],
           [1., 0.]])
    """
    parsed = parse_measure(measure)
    if parsed.judged_only and None in grades:
        raise MeasureError(f"{parsed}: swaps are not defined where unjudged documents are dropped")
    judged = judge_list(grades, relevant)
    levels = np.zeros(len(grades), np.int64)
    levels[judged.hits.rank - 1] = np.maximum(judged.hits.level, 0)
    return parsed.swap_deltas(judged, levels)


def expectation(measure: MeasureLike, chances: Any, relevant: Mapping[int, int]) -> float:
    """Return the expected value of a measure when the grades at ranks are independent.

    `chances[n][i]` is the probability that the document at rank n+1 has the i-th grade of the
    scale, the 0-th being "not relevant". The counts in `relevant` are taken as fixed.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.expectation("P@2", [[0.5, 0.5], [0.75, 0.25]], relevant={1: 3})
    0.375
    """
    array = np.asarray(chances, np.float64)
    lists = replace(judge_list([], relevant), retrieved=np.array([len(array)]))
    return parse_measure(measure).expectation(lists, array)


def variance(measure: MeasureLike, chances: Any, relevant: Mapping[int, int]) -> float:
    """Return the variance of a measure when the grades at ranks are independent.

    Parameters are those of `expectation`.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.variance("P@2", [[0.5, 0.5], [0.75, 0.25]], relevant={1: 3})
    0.109375
    """
    array = np.asarray(chances, np.float64)
    lists = replace(judge_list([], relevant), retrieved=np.array([len(array)]))
    check_probabilities(array, lists)
    judged = Judged.of_levels(lists, np.zeros(len(array), np.int64))
    return float(parse_measure(measure).variances(judged, array)[0])


def as_measures(measures: MeasureLike | Iterable[MeasureLike]) -> tuple[Measure, ...]:
    """Return measures given by name or as such, each once."""
    parsed = [measure for item in as_list(measures) for measure in parse_measures(item)]
    if not parsed:
        raise MeasureError("no measures were given")
    return tuple(dict.fromkeys(parsed))
