"""Rows of a click log as a ClickLog: grouped by session and topic, ordered by rank."""

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gradewise.arrays import Floats, Ints, offsets_of
from gradewise.clicks.log import ClickLog
from gradewise.collection.ids import Ids
from gradewise.collection.sources.source import Source
from gradewise.errors import InputError
from gradewise.kernels import ids


class Coded(NamedTuple):
    """Two columns of ids as codes, in the order of their first rows, and a column of numbers."""

    source: Source
    first: ids.Numbering
    first_code: NDArray[np.int32]
    second: ids.Numbering
    second_code: NDArray[np.int32]
    numbers: Floats


def assemble(
    shown: Coded,
    clicked: Coded,
    ranks: Floats | None,
    teams: Coded | None,
    notes: tuple[str, ...],
) -> ClickLog:
    """Group rows by session and topic, and order them by rank."""
    topics, docs = len(clicked.first), len(clicked.second)
    key = shown.first_code.astype(np.int64) * topics + clicked.first_code
    begins = np.flatnonzero(np.diff(key, prepend=-1))
    stretches = np.diff(begins, append=len(key))
    _, first, number = np.unique(key[begins], return_index=True, return_inverse=True)
    place = np.empty(len(first), np.int64)
    place[np.argsort(first, kind="stable")] = np.arange(len(first))
    listed = place[number].repeat(stretches)  # lists by their first rows
    rank, order = _ordered(listed, ranks)
    click, topic, doc = clicked.numbers, clicked.first_code, clicked.second_code
    session = shown.first_code
    if order is not None:
        listed, session = listed[order], session[order]
        click, topic, doc = click[order], topic[order], doc[order]
    heads = np.flatnonzero(np.diff(listed, prepend=-1))
    pairs, pair = np.unique(topic.astype(np.int64) * docs + doc, return_inverse=True)
    topic_of_pair, doc_of_pair = np.divmod(pairs, docs)
    sessions = Ids(*shown.first.column())
    log = ClickLog(
        tuple(Ids(*clicked.first.column()).to_list()),
        Ids(*clicked.second.column()).take(doc_of_pair),
        offsets_of(np.bincount(topic_of_pair, minlength=topics)),
        sessions.take(session[heads]),
        np.append(heads, len(listed)),
        topic[heads],
        pair.astype(np.int32),
        rank.astype(np.int32),
        click.astype(np.uint8),
        notes=notes,
    )
    _check_ranks(log)
    return log if teams is None else _with_teams(log, teams, order)


def _ordered(listed: Ints, ranks: Floats | None) -> tuple[Ints, Ints | None]:
    """Return ranks, and the order in which rows stand by list and rank if they do not yet."""
    if ranks is None:
        order = np.argsort(listed, kind="stable") if (np.diff(listed) < 0).any() else None
        grouped = listed if order is None else listed[order]
        heads = np.flatnonzero(np.diff(grouped, prepend=-1))
        sizes = np.diff(heads, append=len(grouped))
        return np.arange(1, len(grouped) + 1) - heads.repeat(sizes), order
    rank = ranks.astype(np.int32)
    later = np.diff(listed)
    if ((later > 0) | ((later == 0) & (np.diff(rank) >= 0))).all():
        return rank, None
    order = np.lexsort((rank, listed))
    return rank[order], order


def _check_ranks(log: ClickLog) -> None:
    """Refuse a list that has two documents at one rank."""
    same = (np.diff(log.rank) == 0) & (np.diff(log.list_of_row) == 0)
    if same.any():
        row = int(np.argmax(same))
        listed = int(log.list_of_row[row])
        session = log.sessions.part(listed, listed + 1).to_list()[0]
        raise InputError(
            f"clicks: session {session} has two documents at rank {log.rank[row]} for topic "
            f"{log.topics[log.topic[listed]]}; each search needs a session of its own"
        )


def _with_teams(log: ClickLog, teams: Coded, order: Ints | None) -> ClickLog:
    names = tuple(Ids(*teams.second.column()).to_list())
    code = teams.second_code if order is None else teams.second_code[order]
    return replace(log, teams=names, team=code)
