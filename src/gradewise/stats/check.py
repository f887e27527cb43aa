"""check: whether a new run may replace an old one, for continuous integration."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal
from xml.etree import ElementTree as Xml

from gradewise.collection.topics import TopicSets, TopicsLike
from gradewise.errors import OptionError, counted, told_of
from gradewise.measures.measure import Measure
from gradewise.measures.scores import Scores
from gradewise.stats.compare import compare
from gradewise.stats.measure_comparison import MeasureComparison
from gradewise.tables import Table

Outcome = Literal["better", "worse", "not worse", "undecided"]


@dataclass(frozen=True)
class CheckedMeasure:
    """How a new run compares with an old one by one measure, on one set of topics."""

    measure: Measure
    old: float
    new: float
    difference: float
    low: float
    high: float
    wins: int
    ties: int
    losses: int
    outcome: Outcome
    subset: str = ""

    @property
    def name(self) -> str:
        """The measure, and the set of topics if it has a name."""
        return f"{self.measure} ({self.subset})" if self.subset else str(self.measure)

    @property
    def topics(self) -> int:
        """How many topics were compared."""
        return self.wins + self.ties + self.losses


@dataclass(frozen=True)
class Check:
    """The result of `check`: what each measure says, and whether the new run passes."""

    base: str
    new: str
    measures: tuple[CheckedMeasure, ...]
    by: float
    confidence: float
    strict: bool
    notes: tuple[str, ...] = ()

    @property
    def failed(self) -> tuple[CheckedMeasure, ...]:
        """The measures for which the new run does not pass."""
        passing = ("better", "not worse") if self.strict else ("better", "not worse", "undecided")
        return tuple(each for each in self.measures if each.outcome not in passing)

    @property
    def passed(self) -> bool:
        """Whether the new run passes for all measures."""
        return not self.failed

    def verdict(self) -> str:
        """Return the conclusion in one sentence."""
        more = f" by more than {self.by:g}" if self.by else ""
        sure = f"{self.confidence:.0%} confidence"
        if self.failed:
            named = ", ".join(each.name for each in self.failed)
            if any(each.outcome == "worse" for each in self.failed):
                return f"FAIL: {self.new} is worse than {self.base}{more} in {named} ({sure})"
            return (
                f"FAIL: {self.new} may be worse than {self.base}{more} in {named}; "
                f"{counted(self.measures[0].topics, 'topic')} cannot rule it out ({sure})"
            )
        if any(each.outcome == "undecided" for each in self.measures):
            return f"PASS: {self.new} is not shown to be worse than {self.base}{more} ({sure})"
        if all(each.outcome == "better" for each in self.measures):
            return f"PASS: {self.new} is better than {self.base} ({sure})"
        return f"PASS: {self.new} is not worse than {self.base}{more} ({sure})"

    def table(self, digits: int = 4) -> Table:
        """Return a row for each measure and set of topics."""
        header = ["measure", self.base, self.new, "change", "interval", "won/tied/lost", ""]
        rows = [
            [
                each.name,
                f"{each.old:.{digits}f}",
                f"{each.new:.{digits}f}",
                f"{each.difference:+.{digits}f}",
                f"[{each.low:+.{digits}f}, {each.high:+.{digits}f}]",
                f"{each.wins}/{each.ties}/{each.losses}",
                each.outcome,
            ]
            for each in self.measures
        ]
        return Table(header, rows)

    def to_text(self, *, digits: int = 4) -> str:
        """Return the table and the verdict."""
        return self.table(digits).to_text() + self.verdict() + "\n"

    def to_markdown(self, *, digits: int = 4) -> str:
        """Return the verdict and the table, for a comment on a pull request."""
        word, _, rest = self.verdict().partition(":")
        return f"**{word}**:{rest}\n\n{self.table(digits).to_markdown()}"

    def to_junit(self, *, digits: int = 4) -> str:
        """Return JUnit XML, a test case for each measure."""
        suite = Xml.Element(
            "testsuite",
            name="gradewise check",
            tests=str(len(self.measures)),
            failures=str(len(self.failed)),
        )
        for each, row in zip(self.measures, self.table(digits).rows, strict=True):
            case = Xml.SubElement(suite, "testcase", classname=self.new, name=each.name)
            told = f"{self.base} {row[1]}, {self.new} {row[2]}: {row[3]} {row[4]}, {row[6]}"
            if each in self.failed:
                Xml.SubElement(case, "failure", message=told)
            else:
                Xml.SubElement(case, "system-out").text = told
        Xml.indent(suite)
        return Xml.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"

    def to_csv(self) -> str:
        """Return a row for each measure and set of topics, to full precision."""
        rows = [list(_row_of(each).values()) for each in self.measures]
        return Table(list(_row_of(self.measures[0])), [[*map(str, row)] for row in rows]).to_csv()

    def to_json(self) -> str:
        """Return the verdict and the numbers of each measure, to full precision."""
        measures = [_row_of(each) for each in self.measures]
        about = {"passed": self.passed, "verdict": self.verdict(), "base": self.base}
        about |= {"new": self.new, "by": self.by, "confidence": self.confidence}
        return json.dumps(about | {"measures": measures}, indent=2, ensure_ascii=False) + "\n"

    def __str__(self) -> str:
        return self.to_text().rstrip("\n")


def check(
    scores: Scores,
    base: str,
    new: str | None = None,
    *,
    by: float = 0.0,
    confidence: float = 0.95,
    strict: bool = False,
    topics: TopicsLike | TopicSets | None = None,
) -> Check:
    """Decide whether a new run may replace an old one.

    A measure fails if the confidence interval of its mean change lies below -by: then the new run
    is worse. With several measures, each interval has the level at which all of them hold jointly
    (Bonferroni).

    Parameters
    ----------
    scores
        What `evaluate` returned for the two runs.
    base, new
        The names of the runs; `new` may be left out if there are only two.
    by
        The loss to tolerate, in units of the measure.
    confidence
        The joint confidence level of the intervals.
    strict
        Also fail if the data cannot rule out a loss larger than `by`: pass only a run that is
        shown not to be worse. Few topics then fail, instead of passing.
    topics
        The topics to check, as for `evaluate`; or several sets, {name: topics}, on each of which
        the new run has to pass. Intervals hold jointly for all measures and sets.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=20, runs=2, depth=50, seed=1)
    >>> scores = gw.evaluate(sample.qrels, sample.runs, "AP")
    >>> print(gw.check(scores, "run2", "run1").verdict())
    FAIL: run1 is worse than run2 in AP (95% confidence)
    """
    if by < 0:
        raise OptionError(f"by must be 0 or more, not {by}")
    if not 0 < confidence < 1:
        raise OptionError(f"confidence must lie between 0 and 1, not {confidence}")
    chosen = _choose_pair(scores, base, new)
    sets = {"": chosen}
    if topics is not None:
        sets = chosen.by_topics(topics if isinstance(topics, Mapping) else {"": topics})
    level = 1 - (1 - confidence) / (len(scores.measures) * len(sets))
    measures, notes = list[CheckedMeasure](), list[str]()
    for name, part in sets.items():
        with told_of(name):
            found = compare(part, base, level=level)
        measures += [_checked(each, base, by, name) for each in found.parts]
        told = [*part.told[len(chosen.told) :], *found.notes]
        notes += [f"{name}: {note}" if name else note for note in told]
    return Check(base, chosen.runs[1], tuple(measures), by, confidence, strict, tuple(notes))


def _choose_pair(scores: Scores, base: str, new: str | None) -> Scores:
    others = [run for run in scores.runs if run != base]
    if new is None and len(others) != 1:
        known = f"the other runs are {', '.join(others)}" if others else "there is no other run"
        raise OptionError(f"name the new run; {known}")
    return scores.of_runs([base, new or others[0]])


def _checked(part: MeasureComparison, base: str, by: float, subset: str) -> CheckedMeasure:
    """Read the comparison by one measure, whose only pair is new against base."""
    place = {run: index for index, run in enumerate(part.runs)}
    old, new = part.mean[place[base]], part.mean[1 - place[base]]
    low, high = float(part.pair_low[0]), float(part.pair_high[0])
    worst, best = (low, high) if part.measure.higher_is_better else (-high, -low)
    return CheckedMeasure(
        measure=part.measure,
        old=float(old),
        new=float(new),
        difference=float(part.difference[0]),
        low=low,
        high=high,
        wins=int(part.wins[0]),
        ties=int(part.ties[0]),
        losses=int(part.losses[0]),
        outcome=_outcome(worst, best, by),
        subset=subset,
    )


def _row_of(each: CheckedMeasure) -> dict[str, Any]:
    """Return the numbers of a measure by their names; the set of topics only if it has a name."""
    row = asdict(each) | {"measure": str(each.measure)}
    if not row.pop("subset"):
        return row
    return {"topics": each.subset} | row


def _outcome(low: float, high: float, by: float) -> Outcome:
    if high < -by:
        return "worse"
    if low > 0:
        return "better"
    return "not worse" if low > -by or (low == 0 and by == 0) else "undecided"
