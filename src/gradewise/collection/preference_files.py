"""read_preferences: files in which each line compares two documents."""

import os
from typing import IO

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.entries import gather
from gradewise.collection.ids import Ids
from gradewise.collection.preferences import close_preferences
from gradewise.collection.qrels import Qrels
from gradewise.collection.sources.layouts import PREFERENCES
from gradewise.collection.sources.streams import Stream
from gradewise.collection.sources.text import TextSource
from gradewise.errors import InputError
from gradewise.kernels import ids


def read_preferences(source: str | os.PathLike[str] | IO[bytes]) -> Qrels:
    r"""Read preference judgments, for measures such as ppref.

    Parameters
    ----------
    source
        A path to lines of topic, document, other document and preference (Carterette, Bennett and
        Chapelle 2008), plain or compressed; "-" for standard input; an open binary file. -1: the
        first is preferred; 1: the second is; 0: they are duplicates; -2: the first is bad, and 2:
        the second is, where the other one is NA. Preferences are taken as transitive, and every
        document that is preferred to another is preferred to bad ones.

    Examples
    --------
    >>> import io
    >>> import gradewise as gw
    >>> judged = gw.read_preferences(io.BytesIO(b"1 a b -1\n1 b c -1\n"))
    >>> judged, len(judged.preferences)
    (Qrels(1 topic, 3 judged documents, grades 0), 3)
    """
    first = TextSource(Stream(source), grades=True)
    first.layout = PREFERENCES
    second = TextSource(first.stream, grades=True)
    second.layout = PREFERENCES.with_documents(2)
    left, _ = gather(first, repeats=True)
    right, _ = gather(second, repeats=True)
    kind, size = left.numbers, len(left)
    _check_kinds(first.name, kind)
    topic = np.tile(np.arange(len(left.topics)).repeat(left.sizes), 2)
    docs = Ids.concatenate([left.docs, right.docs])
    named = np.concatenate([kind != 2, kind != -2])  # the other one is NA
    number = np.asarray(ids.Numbering().add(docs.data, docs.offsets))
    key = (topic * (len(docs) + 1) + number)[named]
    _, chosen, row = np.unique(key, return_index=True, return_inverse=True)
    place = np.full(2 * size, -1, np.int64)
    place[named] = row
    kept = np.flatnonzero(named)[chosen]
    offsets = np.searchsorted(topic[kept], np.arange(len(left.topics) + 1))
    one, other = place[:size], place[size:]
    pairs = close_preferences(
        (
            np.concatenate([one[kind == -1], other[kind == 1]]),
            np.concatenate([other[kind == -1], one[kind == 1]]),
        ),
        (one[kind == 0], other[kind == 0]),
        np.unique(np.concatenate([one[kind == -2], other[kind == 2]])),
        topic[kept],
    )
    grades = np.zeros(len(kept))
    return Qrels(left.topics, offsets.astype(np.int64), docs.take(kept), grades, preferences=pairs)


def _check_kinds(name: str, kind: Floats) -> None:
    wrong: Ints = np.flatnonzero(np.abs(kind) > 2)
    if len(wrong):
        raise InputError(
            f"{name}: {kind[wrong[0]]:g} is not a preference; it must be -2, -1, 0, 1 or 2"
        )
