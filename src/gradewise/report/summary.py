"""A report in three sentences of plain language."""

import numpy as np

from gradewise.collection.coverage import Coverage
from gradewise.errors import counted
from gradewise.measures.scores import Scores
from gradewise.report.standings import LEVEL, Standings
from gradewise.report.thresholds import Winners

_NAMED = 3  # runs named in a sentence


def summarize_report(
    scores: Scores, found: Standings, winners: Winners | None, fit: Coverage
) -> list[str]:
    """Say who is best, whether that is real, and what it depends on."""
    order = np.argsort(-found.mean, kind="stable")
    return [
        _who_is_best(scores, found, int(order[0])),
        _is_it_real(scores, found, [int(run) for run in order]),
        _what_it_depends_on(scores, winners, int(order[0]), fit),
    ]


def _who_is_best(scores: Scores, found: Standings, best: int) -> str:
    topics = counted(len(scores.topics), "topic")
    where = f"on {topics} by {scores.measures[0]}"
    interval = f"{LEVEL:.0%} interval {found.low[best]:.3f} to {found.high[best]:.3f}"
    value = (
        f"{found.mean[best]:.3f} ({interval})" if found.topics > 1 else f"{found.mean[best]:.3f}"
    )
    if len(scores.runs) == 1:
        return f"{scores.runs[best]} scores {value} {where}."
    runs = counted(len(scores.runs), "run")
    return f"{scores.runs[best]} is the best of {runs} {where}, with a mean of {value}."


def _is_it_real(scores: Scores, found: Standings, order: list[int]) -> str:
    if len(order) == 1:
        return "There is no other run to compare it with."
    if found.topics < 2:
        return "With one topic, nobody can say whether that is more than luck."
    alike = [run for run in order[1:] if not found.differs[order[0], run]]
    ahead = found.mean[order[0]] - found.mean[order[1]]
    if not alike:
        others = " and over all others" if len(order) > 2 else ""
        return (
            f"Its lead of {ahead:.3f} over {scores.runs[order[1]]}{others} is more than the luck "
            "of these topics."
        )
    if len(alike) == len(order) - 1:
        return "No other run can be told apart from it on these topics: its lead may be luck."
    names = ", ".join(scores.runs[run] for run in alike[:_NAMED])
    if len(alike) > _NAMED:
        return (
            f"{len(alike)} other runs cannot be told apart from it on these topics, "
            f"{names} among them; its lead over the rest is more than luck."
        )
    them = "that one" if len(alike) == 1 else "these"
    return (
        f"It cannot be told apart from {names} on these topics; its lead over all runs but {them} "
        "is more than luck."
    )


def _what_it_depends_on(scores: Scores, winners: Winners | None, best: int, fit: Coverage) -> str:
    unjudged = float(fit.unjudged_at([10]).mean())
    judged = (
        "all documents at ranks 1 to 10 are judged"
        if unjudged == 0
        else f"{unjudged:.1%} of the documents at ranks 1 to 10 are unjudged"
    )
    if winners is None or len(scores.runs) == 1:
        return f"{judged[0].upper()}{judged[1:]}."
    shares = winners.shares()
    if len(shares) == 1:
        first = shares[0][0]
        same = "it" if first == best else scores.runs[first]
        return (
            f"Wherever users draw the line between relevant and not, GAP puts {same} first; "
            f"{judged}."
        )
    named = [f"{scores.runs[run]} ({_percent(share)})" for run, share in shares[:_NAMED]]
    rest = len(shares) - len(named)
    parts = [*named, counted(rest, "other")] if rest else named
    leading = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return (
        "Who is first depends on where users draw the line between relevant and not: over all "
        f"views GAP puts {leading} first; {judged}."
    )


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "<1%"
