"""The verdict of a report: which run is best, whether that is certain, and what to do next."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

import numpy as np

from gradewise.arrays import Bools, Floats
from gradewise.collection.coverage import Coverage
from gradewise.errors import counted
from gradewise.measures.scores import Scores
from gradewise.noise import drop_noise
from gradewise.report.rankings import Rankings
from gradewise.report.standings import ALPHA, LEVEL, Standings
from gradewise.report.thresholds import Winners
from gradewise.report.top_distances import MEASURE as BOUNDED
from gradewise.report.top_distances import TOP, Lead
from gradewise.stats.intervals import effect_size, t_interval
from gradewise.stats.power import topics_needed

POWER: Final = 0.8
RIVALS: Final = 10  # runs besides the best whose unjudged documents are counted
_MUCH: Final = 0.05  # share of unjudged documents from which judging them comes first
_HOPELESS: Final = 20  # times as many topics as there are
_NAMED: Final = 3

Kind = Literal["run", "topics", "judge", "decide", "equal", "ship"]


@dataclass(frozen=True)
class Step:
    """What to do next: its kind, an instruction, the reason, and a command that helps."""

    kind: Kind
    title: str
    text: str
    command: str = ""


@dataclass(frozen=True)
class Dependence:
    """Whether the answer depends on a choice, or None if that is not known."""

    on: str
    steady: bool | None
    text: str


@dataclass(frozen=True)
class Verdict:
    """The answer by one measure; runs are given by their places.

    `lead` is the mean difference between the best run and the next, positive if the best is better,
    with its interval; `alike` are the runs that do not differ significantly from the best, best
    first; `needed` is how many topics would show the lead, in a test of these two runs alone.
    """

    best: int
    second: int | None
    lead: tuple[float, float, float] | None
    alike: list[int]
    needed: int | None
    depends: list[Dependence]
    step: Step | None = None

    def content(self) -> dict[str, Any]:
        """Return the verdict as what JSON can hold."""
        lead = None if self.lead is None else [_finite(value) for value in self.lead]
        return asdict(self) | {"lead": lead}


@dataclass(frozen=True, eq=False)
class Evidence:
    """What a verdict is drawn from, besides the scores; without judgments there is less."""

    standings: Sequence[Standings]
    winners: Winners | None = None
    fit: Coverage | None = None
    leads: Sequence[Lead] = ()
    rankings: Rankings | None = None
    topics: Bools | None = None  # of the rankings, those that belong to the scores


def find_verdicts(scores: Scores, evidence: Evidence) -> list[Verdict]:
    """Return the verdict by each measure."""
    return [_find_verdict(scores, index, evidence) for index in range(len(scores.measures))]


def _find_verdict(scores: Scores, index: int, evidence: Evidence) -> Verdict:
    found = evidence.standings[index]
    order = found.order.tolist()
    best, second = order[0], order[1] if len(order) > 1 else None
    alike = [run for run in order[1:] if not found.differs[best, run]]
    lead, needed = None, None
    if second is not None:
        lead, needed = _measure_lead(scores, index, best, second)
    depends = [
        *_on_measure(scores, index, evidence),
        *_on_thresholds(scores, best, evidence),
        *_on_judgments(best, evidence),
    ]
    verdict = Verdict(best, second, lead, alike, needed, depends)
    return replace(verdict, step=_next_step(scores, index, evidence, verdict))


def _measure_lead(
    scores: Scores, index: int, best: int, second: int
) -> tuple[tuple[float, float, float], int | None]:
    """Return the lead of one run over another with its interval, and the topics that it needs."""
    measure, values = scores.measures[index], scores.values[[best, second], :, index]
    used = scores.counted[[best, second]].all(axis=0) & ~np.isnan(values).any(axis=0)
    sign = 1 if measure.higher_is_better else -1
    largest = float(np.abs(values[:, used]).max(initial=0.0))
    differences: Floats = drop_noise(sign * (values[0] - values[1])[used], largest)
    if len(differences) < 2:
        mean = float(differences.mean()) if len(differences) else float("nan")
        return (mean, float("nan"), float("nan")), None
    low, high = t_interval(differences, level=LEVEL)
    effect = float(effect_size(differences, scale=largest))
    lead = (float(differences.mean()), float(low), float(high))
    return lead, topics_needed(effect, alpha=ALPHA, power=POWER)


def _on_measure(scores: Scores, index: int, evidence: Evidence) -> list[Dependence]:
    """Say whether other measures put another run first."""
    if len(scores.measures) < 2 or len(scores.runs) < 2:
        return []
    bests = [int(found.order[0]) for found in evidence.standings]
    best, others = bests[index], [k for k in range(len(bests)) if k != index]
    against = [k for k in others if bests[k] != best]
    if not against:
        number = counted(len(others), "other measure")
        verb = "ranks" if len(others) == 1 else "rank"
        return [Dependence("measure", True, f"{number} {verb} it first, too.")]
    told = [f"{scores.measures[k]} ranks {scores.runs[bests[k]]} first" for k in against[:_NAMED]]
    more = len(against) - len(told)
    rest = f", and {more} more disagree" if more else ""
    head = f"{len(against)} of {counted(len(others), 'other measure')}"
    verb = "disagrees" if len(against) == 1 else "disagree"
    return [Dependence("measure", False, f"{head} {verb}: {'; '.join(told)}{rest}.")]


def _on_thresholds(scores: Scores, best: int, evidence: Evidence) -> list[Dependence]:
    """Say whether GAP puts another run first for some thresholds."""
    if evidence.winners is None or len(scores.runs) < 2:
        return []
    shares = evidence.winners.shares()
    own = dict(shares).get(best, 0.0)
    if len(shares) == 1 and own:
        return [Dependence("threshold", True, "GAP ranks it first for every relevance threshold.")]
    others = [(scores.runs[run], share) for run, share in shares if run != best]
    rest = others[0][0]
    if len(others) > 1:
        most = f"most often {rest} ({_percent(others[0][1])})"
        rest = f"{counted(len(others), 'other run')} for the rest, {most}"
    else:
        rest = f"{rest} for the rest"
    text = f"GAP ranks it first for {_percent(own)} of the threshold distributions, and {rest}."
    return [Dependence("threshold", False, text)]


def _on_judgments(best: int, evidence: Evidence) -> list[Dependence]:
    """Say whether unjudged documents could change the order."""
    if evidence.fit is None:
        return []
    unjudged = float(evidence.fit.unjudged_at([TOP])[best, 0])
    share = (
        f"all documents in its top {TOP} are judged"
        if unjudged == 0
        else f"{unjudged:.1%} of the documents in its top {TOP} are unjudged"
    )
    # The lead was bounded of the run that is best by the first measure.
    if not evidence.leads or best != int(evidence.standings[0].order[0]):
        text = f"{share[0].upper()}{share[1:]}."
        return [Dependence("judgments", True if unjudged == 0 else None, text)]
    open_ = [lead for lead in evidence.leads if lead.low < 0 < lead.high]
    alone = len(evidence.leads) == 1
    others = evidence.leads[0].run if alone else f"the next {len(evidence.leads)} runs"
    if not open_:
        what = f"No unjudged document can change its order with {others} in {BOUNDED}"
        return [Dependence("judgments", True, f"{what}; {share}.")]
    some = others if alone else f"{len(open_)} of {others}"
    what = f"Unjudged documents could change its order with {some} in {BOUNDED}"
    return [Dependence("judgments", False, f"{what}; {share}.")]


def _next_step(scores: Scores, index: int, evidence: Evidence, found: Verdict) -> Step:
    name = scores.runs[found.best]
    if found.second is None:
        return Step(
            "run",
            "Add a run to compare it with",
            "A score alone does not say whether a run is good: give a baseline as a second run.",
        )
    if evidence.standings[index].topics < 2:
        return Step("topics", "Judge more topics", "One topic is too few to test significance.")
    judge = _judging(scores, evidence, found)
    if judge is not None:
        return judge
    if found.alike:
        return _more_topics(scores, index, evidence, found)
    disputed = [each for each in found.depends if each.steady is False and each.on != "judgments"]
    if disputed:
        what = " and ".join(each.on for each in disputed)
        return Step(
            "decide",
            f"Decide which {what} fits your users",
            f"The lead of {name} is significant, but who leads depends on the {what}: "
            f"{_first_lower(disputed[0].text)}",
        )
    return Step(
        "ship",
        f"Use {name}",
        "Its lead is significant and does not depend on what was varied here; this comparison "
        "needs no more topics or judgments.",
    )


def _judging(scores: Scores, evidence: Evidence, found: Verdict) -> Step | None:
    """Return the step to judge more documents, if unjudged ones are many and could matter."""
    rankings, topics = evidence.rankings, evidence.topics
    if rankings is None or topics is None:
        return None
    steady = next((each.steady for each in found.depends if each.on == "judgments"), True)
    if steady or (steady is None and not found.alike):
        return None
    rivals = found.alike or ([found.second] if found.second is not None else [])
    runs = [found.best, *rivals[:RIVALS]]
    seen, unjudged = rankings.unjudged_in(runs, topics, TOP)
    if not unjudged or unjudged / seen < _MUCH:
        return None
    who = f"{scores.runs[found.best]} and {scores.runs[rivals[0]]}"
    if len(runs) > 2:
        who = f"{scores.runs[found.best]} and the {counted(len(runs) - 1, 'run')} closest to it"
    return Step(
        "judge",
        f"Judge {counted(unjudged, 'document')}",
        f"{unjudged / seen:.0%} of the {seen:,} documents in the top {TOP} of {who} are unjudged "
        "and count as not relevant; their grades could change the order. This lists those that "
        "matter most:",
        f"gradewise med QRELS RUN RUN... -m {BOUNDED} --next {unjudged}",
    )


def _more_topics(scores: Scores, index: int, evidence: Evidence, found: Verdict) -> Step:
    """Return the step if the best run cannot be told from others: more topics, or none."""
    assert found.second is not None
    assert found.lead is not None
    topics, needed = evidence.standings[index].topics, found.needed
    pair = f"{scores.runs[found.best]} and {scores.runs[found.second]}"
    if found.lead == (0.0, 0.0, 0.0):
        return Step(
            "equal",
            f"Treat {pair} as equal",
            f"They have the same {scores.measures[index]} on every topic. If that is a surprise, "
            "see whether they are the same run.",
        )
    lead = f"{found.lead[0]:.4f}"
    test = f"a paired t-test of these two runs alone, alpha {ALPHA}, power {POWER:.0%}"
    if needed is None or needed > _HOPELESS * topics:
        number = "a million" if needed is None else f"{needed:,}"
        than = "more than " if needed is None else "about "
        return Step(
            "equal",
            f"Treat {pair} as equal",
            f"Choose by cost or speed: it would take {than}{number} topics to detect a difference "
            f"of {lead} ({test}); there are {topics:,}.",
        )
    if needed <= topics:
        return Step(
            "topics",
            "Compare fewer runs, on new topics",
            f"Alone, {pair} would differ significantly (the {topics:,} topics suffice for a "
            f"difference of {lead}; {test}), but not after correction for all pairs. Test these "
            "two on topics that did not choose them.",
        )
    return Step(
        "topics",
        f"Add {needed - topics:,} topics",
        f"About {needed:,} topics are needed to detect a difference of {lead} between {pair} "
        f"({test}); there are {topics:,}.",
    )


def _first_lower(text: str) -> str:
    word = text.split(" ", 1)[0]
    return text if word.isupper() else text[0].lower() + text[1:]


def _percent(share: float) -> str:
    if share == 0:
        return "none"
    return "<1%" if share < 0.01 else ">99%" if 0.99 < share < 1 else f"{share:.0%}"


def _finite(value: float) -> float | None:
    return None if value != value else value
