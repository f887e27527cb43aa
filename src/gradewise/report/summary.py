"""A report summarized in three sentences."""

from gradewise.arrays import Ints
from gradewise.collection.coverage import Coverage
from gradewise.errors import counted
from gradewise.measures.scores import Scores
from gradewise.report.standings import ALPHA, LEVEL, Standings
from gradewise.report.thresholds import Winners

_NAMED = 3  # runs named in a sentence
# The data choose the best run, so its pairs are corrected for all pairs; see stats/families.py.
_TEST = f"paired t-tests, Holm's correction over all pairs of runs, alpha {ALPHA}"


def summarize_report(
    scores: Scores,
    found: Standings,
    winners: Winners | None,
    fit: Coverage,
    shown: Ints | None = None,
) -> list[str]:
    """State which run is best, whether its lead is significant, and what that depends on.

    `shown` are the places of the topics that thresholds were tried on, if these are not all.
    """
    return [
        *summarize_scores(scores, found),
        _what_it_depends_on(scores, winners, int(found.order[0]), fit, shown),
    ]


def summarize_scores(scores: Scores, found: Standings) -> list[str]:
    """State which run is best and whether its lead is significant, without judgments."""
    return [
        _who_is_best(scores, found, int(found.order[0])),
        _is_it_significant(scores, found, found.order.tolist()),
    ]


def _who_is_best(scores: Scores, found: Standings, best: int) -> str:
    number = len(scores.topics)
    topics = counted(number, "topic") if number < 10_000 else f"{number:,} topics"
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
    ahead = abs(found.mean[order[0]] - found.mean[order[1]])
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


def _what_it_depends_on(
    scores: Scores, winners: Winners | None, best: int, fit: Coverage, shown: Ints | None
) -> str:
    unjudged = float(fit.unjudged_at([10]).mean())
    judged = (
        "all documents in the top 10 are judged"
        if unjudged == 0
        else f"{unjudged:.1%} of the documents in the top 10 are unjudged"
    )
    if winners is None or len(scores.runs) == 1:
        return f"{judged[0].upper()}{judged[1:]}."
    shares = winners.shares()
    sample = "" if shown is None else f" on a sample of {len(shown):,} topics"
    if len(shares) == 1:
        first = shares[0][0]
        same = "it" if first == best else scores.runs[first]
        return f"GAP ranks {same} first for every choice of relevance thresholds{sample}; {judged}."
    named = [f"{scores.runs[run]} ({_percent(share)})" for run, share in shares[:_NAMED]]
    rest = len(shares) - len(named)
    parts = [*named, counted(rest, "other")] if rest else named
    leading = f"{', '.join(parts[:-1])} and {parts[-1]}"
    return (
        "The best run depends on the relevance threshold: over all threshold distributions, GAP "
        f"ranks {leading} first{sample}; {judged}."
    )


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.01 else "<1%"
