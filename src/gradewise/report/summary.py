"""A report summarized in three sentences."""

import numpy as np

from gradewise.collection.coverage import Coverage
from gradewise.errors import counted
from gradewise.measures.scores import Scores
from gradewise.report.standings import ALPHA, LEVEL, Standings
from gradewise.report.thresholds import Winners

_NAMED = 3  # runs named in a sentence
_TEST = f"paired t-tests, Holm's correction, alpha {ALPHA}"


def summarize_report(
    scores: Scores, found: Standings, winners: Winners | None, fit: Coverage
) -> list[str]:
    """State which run is best, whether its lead is significant, and what that depends on."""
    order = np.argsort(-found.mean, kind="stable")
    return [
        _who_is_best(scores, found, int(order[0])),
        _is_it_significant(scores, found, [int(run) for run in order]),
        _what_it_depends_on(scores, winners, int(order[0]), fit),
    ]


def _who_is_best(scores: Scores, found: Standings, best: int) -> str:
    topics = counted(len(scores.topics), "topic")
    where = f"on {topics} by {scores.measures[0]}"
    interval = f"{LEVEL:.0%} confidence interval {found.low[best]:.3f} to {found.high[best]:.3f}"
    value = (
        f"{found.mean[best]:.3f} ({interval})" if found.topics > 1 else f"{found.mean[best]:.3f}"
    )
    if len(scores.runs) == 1:
        return f"{scores.runs[best]} scores {value} {where}."
    runs = counted(len(scores.runs), "run")
    return f"{scores.runs[best]} is the best of {runs} {where}, with a mean of {value}."


def _is_it_significant(scores: Scores, found: Standings, order: list[int]) -> str:
    if len(order) == 1:
        return "There is no other run to compare it with."
    if found.topics < 2:
        return "With only one topic, significance cannot be tested."
    alike = [run for run in order[1:] if not found.differs[order[0], run]]
    ahead = found.mean[order[0]] - found.mean[order[1]]
    if not alike:
        if len(order) > 2:
            return (
                f"It is significantly better than every other run ({_TEST}); its lead over "
                f"{scores.runs[order[1]]}, the next best, is {ahead:.3f}."
            )
        return (
            f"Its lead of {ahead:.3f} over {scores.runs[order[1]]} is significant (paired t-test, "
            f"alpha {ALPHA})."
        )
    if len(alike) == len(order) - 1:
        return (
            f"It is not significantly better than any other run ({_TEST}): its lead could be due "
            "to the choice of topics."
        )
    names = ", ".join(scores.runs[run] for run in alike[:_NAMED])
    if len(alike) > _NAMED:
        names = f"{len(alike)} runs, including {names}"
    return (
        f"It does not differ significantly from {names}; it is significantly better than all "
        f"other runs ({_TEST})."
    )


def _what_it_depends_on(scores: Scores, winners: Winners | None, best: int, fit: Coverage) -> str:
    unjudged = float(fit.unjudged_at([10]).mean())
    judged = (
        "all documents in the top 10 are judged"
        if unjudged == 0
        else f"{unjudged:.1%} of the documents in the top 10 are unjudged"
    )
    if winners is None or len(scores.runs) == 1:
        return f"{judged[0].upper()}{judged[1:]}."
    shares = winners.shares()
    if len(shares) == 1:
        first = shares[0][0]
        same = "it" if first == best else scores.runs[first]
        return f"GAP ranks {same} first for every choice of relevance thresholds; {judged}."
    named = [f"{scores.runs[run]} ({_percent(share)})" for run, share in shares[:_NAMED]]
    rest = len(shares) - len(named)
    parts = [*named, counted(rest, "other")] if rest else named
    leading = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return (
        "The best run depends on the relevance threshold: over all threshold distributions, GAP "
        f"ranks {leading} first; {judged}."
    )


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "<1%"
