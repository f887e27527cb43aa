"""Interleaving: two rankers in one list, and which of them users prefer."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gradewise.arrays import Floats, Ints, offsets_of
from gradewise.clicks.framed import Framed
from gradewise.clicks.log import ClickLog
from gradewise.clicks.reading import ClicksLike, read_clicks
from gradewise.collection.accepted import RunLike
from gradewise.collection.ids import Ids
from gradewise.collection.reading import read_run
from gradewise.collection.run import Run
from gradewise.collection.ties import Ties
from gradewise.errors import InputError, OptionError, check_between, check_least, counted
from gradewise.kernels import ids, team_draft
from gradewise.libraries import pl, special
from gradewise.stats.paired_tests import sign_test, t_test
from gradewise.stats.percentiles import percentile_interval
from gradewise.stats.resampling import topic_weights

if TYPE_CHECKING:
    import polars

REPLICATES = 2000


@dataclass(frozen=True, eq=False, repr=False)
class Interleaved:
    """Lists that two rankers made together.

    Rows `offsets[l]:offsets[l + 1]` are list l, best first: draw `draw[l]` for `topics[topic[l]]`;
    each row has a document and the team, 0 or 1, whose ranker picked it.
    """

    teams: tuple[str, str]
    topics: tuple[str, ...]
    topic: Ints
    draw: Ints
    offsets: Ints
    docs: Ids
    team: Ints

    def __len__(self) -> int:
        return len(self.topic)

    def __repr__(self) -> str:
        lists, rows = counted(len(self), "list"), counted(len(self.team), "document")
        return f"Interleaved({' and '.join(self.teams)}, {lists}, {rows})"

    @property
    def frame(self) -> "polars.DataFrame":
        """A frame: topic, draw, rank, doc, team."""
        sizes = np.diff(self.offsets)
        names = pl.Series(list(self.topics)).gather(self.topic.repeat(sizes))
        rank = np.arange(len(self.team)) - self.offsets[:-1].repeat(sizes) + 1
        team = pl.Series(list(self.teams)).gather(self.team)
        columns = {"topic": names, "draw": self.draw.repeat(sizes) + 1, "rank": rank}
        return pl.DataFrame({**columns, "doc": self.docs.to_list(), "team": team})


def interleave(
    first: RunLike,
    second: RunLike,
    *,
    depth: int = 10,
    draws: int = 1,
    names: tuple[str, str] | None = None,
    ties: Ties = "trec",
    seed: int = 0,
) -> Interleaved:
    """Interleave two runs by team draft (Radlinski, Kurup and Joachims 2008).

    The two rankers take turns picking their best document that is not in the list yet; a coin flip
    decides who picks first in each turn. A list ends at the depth, or when a ranker has nothing
    left.

    Parameters
    ----------
    first, second
        Two runs, or anything that `read_run` takes; topics that only one of them has are left out.
    depth
        Number of documents per list.
    draws
        Number of lists per topic, each with its own coin flips: show a different one in each
        session.
    names
        What the teams are called; the names of the runs by default.
    ties
        Order of documents with equal scores, as in `evaluate`.
    seed
        The same seed gives the same lists.

    Examples
    --------
    >>> import gradewise as gw
    >>> made = gw.clicks.interleave({"q": ["a", "b", "c"]}, {"q": ["b", "c", "d"]}, seed=2)
    >>> made.frame.select("rank", "doc", "team").rows()
    [(1, 'a', 'first'), (2, 'b', 'second'), (3, 'c', 'second')]
    """
    check_least(1, depth=depth, draws=draws)
    runs = read_run(first), read_run(second)
    called = names or _names_of(*runs)
    if len(set(called)) != 2:
        raise OptionError(f"the two teams must have different names, not {called[0]!r} twice")
    topics = [topic for topic in runs[0].topics if topic in runs[1].topic_index]
    if not topics:
        raise InputError("the two runs have no topic in common")
    numbering = ids.Numbering()
    lists = [_codes(run, topics, numbering, draws, ties) for run in runs]
    coins = np.random.default_rng(seed).integers(0, 2, (len(topics) * draws, depth), np.uint8)
    sizes, docs, team = team_draft.draft_teams(*lists[0], *lists[1], coins, len(numbering))
    number = np.arange(len(topics)).repeat(draws)
    return Interleaved(
        called,
        tuple(topics),
        number,
        np.tile(np.arange(draws), len(topics)),
        offsets_of(sizes),
        Ids(*numbering.column()).take(docs),
        team.astype(np.int64),
    )


def _names_of(first: Run, second: Run) -> tuple[str, str]:
    if first.name == second.name:
        return "first", "second"
    return first.name, second.name


def _codes(
    run: Run, topics: list[str], numbering: ids.Numbering, draws: int, ties: Ties
) -> tuple[Ints, Ints]:
    """Return the offsets and documents of lists, each topic as often as it is drawn."""
    rows = run.ranked(ties=ties)
    code = numbering.add(run.docs.data, run.docs.offsets)[rows]
    place = np.array([run.topic_index[topic] for topic in topics]).repeat(draws)
    sizes = run.sizes[place]
    offsets = offsets_of(sizes)
    return offsets, code[
        np.arange(int(offsets[-1])) + (run.offsets[place] - offsets[:-1]).repeat(sizes)
    ]


@dataclass(frozen=True, eq=False)
class TeamComparison(Framed):
    """Which of two teams users prefer.

    A session is won by the team with more clicks. `share` is that of the first team, ties counting
    half, with an interval by resampling topics; `p_sessions` tests it over sessions that are not
    tied, by the sign test, and `p_topics` over the mean outcomes of topics, by the t-test;
    `p_topics_sign` likewise, by the sign test.
    """

    teams: tuple[str, str]
    wins: int
    losses: int
    tied: int
    share: float
    low: float
    high: float
    level: float
    p_sessions: float
    p_topics: float
    p_topics_sign: float
    topics: int

    @property
    def frame(self) -> "polars.DataFrame":
        """A frame with a single row: both teams, wins, losses, ties, share, low, high and p."""
        return pl.DataFrame(
            {
                "team": [self.teams[0]],
                "other": [self.teams[1]],
                "wins": [self.wins],
                "losses": [self.losses],
                "ties": [self.tied],
                "share": [self.share],
                "low": [self.low],
                "high": [self.high],
                "p_sessions": [self.p_sessions],
                "p_topics": [self.p_topics],
            }
        )


def compare_teams(
    log: ClicksLike, *, level: float = 0.95, replicates: int = REPLICATES, seed: int = 0
) -> TeamComparison:
    """Test which of two interleaved rankers users prefer.

    Parameters
    ----------
    log
        A ClickLog with teams, or anything that `read_clicks` takes that has a column `team`.
    level
        Confidence level of the interval.
    replicates, seed
        Number of resampled sets of topics for the interval, and random seed.

    Examples
    --------
    >>> import gradewise as gw
    >>> rows = [("s1", "q", "a", 1, 1, "A"), ("s1", "q", "b", 2, 0, "B"),
    ...         ("s2", "r", "c", 1, 0, "B"), ("s2", "r", "d", 2, 1, "A")]
    >>> log = gw.clicks.read_clicks(rows, columns="session,topic,doc,rank,click,team")
    >>> found = gw.clicks.compare_teams(log)
    >>> found.teams, found.wins, found.losses, found.share
    (('A', 'B'), 2, 0, 1.0)
    """
    check_between(0, 1, level=level)
    read = read_clicks(log)
    if len(read.teams) != 2:
        found = ", ".join(read.teams) or "none"
        raise InputError(
            f"clicks: interleaved lists have two teams in a column 'team'; found {found}"
        )
    teams = (min(read.teams), max(read.teams))
    outcome = _outcomes(read, read.teams.index(teams[0]))
    wins, losses = int((outcome > 0).sum()), int((outcome < 0).sum())
    weighed = np.bincount(read.topic, weights=outcome, minlength=len(read.topics))
    sums: Floats = np.asarray(weighed, np.float64)
    there = read.lists_of_topic > 0
    sums, sizes = sums[there], read.lists_of_topic[there]
    means = sums / sizes
    low, high = _share_interval(sums, sizes, level, replicates, seed)
    alone = len(means) < 2
    return TeamComparison(
        teams,
        wins,
        losses,
        len(outcome) - wins - losses,
        float((1 + outcome.mean()) / 2),
        low,
        high,
        level,
        float(min(2 * special.bdtr(float(min(wins, losses)), wins + losses, 0.5), 1.0)),
        np.nan if alone else float(t_test(means, scale=1.0)),
        np.nan if alone else float(sign_test(means, scale=1.0)),
        len(means),
    )


def _outcomes(log: ClickLog, first: int) -> Floats:
    """Return 1 for lists that the first team wins, -1 for those that it loses, and 0 for ties."""
    credit = np.where(log.team == first, 1, -1) * (log.click > 0)
    return np.sign(np.bincount(log.list_of_row, weights=credit, minlength=len(log)))


def _share_interval(
    sums: Floats, sizes: Ints, level: float, replicates: int, seed: int
) -> tuple[float, float]:
    if len(sums) < 2:
        return np.nan, np.nan
    weights = topic_weights(len(sums), replicates=replicates, seed=seed)
    shares = (1 + (weights @ sums) / (weights @ sizes)) / 2
    low, high = percentile_interval(shares, level)
    return float(low), float(high)
