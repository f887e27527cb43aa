"""Catalog coverage: how many of all items a recommender ever shows."""

from collections.abc import Iterable

import numpy as np

from gradewise.collection.accepted import QrelsLike, RunLike
from gradewise.collection.reading import read_qrels, read_run
from gradewise.collection.ties import Ties
from gradewise.errors import OptionError, check_least
from gradewise.kernels import ids


def catalog_coverage(
    run: RunLike, *, cutoff: int, catalog: int | QrelsLike, ties: Ties = "trec", seed: int = 0
) -> float:
    """Return the share of a catalog that is among the first documents of any topic.

    It is a value of a run and not of a topic, so it has no mean over topics and no test.

    Parameters
    ----------
    run
        A run, or anything that `read_run` takes.
    cutoff
        How many documents of each topic count.
    catalog
        How many documents there are, or judgments: then the judged documents are the catalog, and
        others do not count.
    ties, seed
        The order of documents with equal scores, as in `evaluate`.

    Examples
    --------
    Of 4 items, a and b are shown at rank 1:

    >>> import gradewise as gw
    >>> run = {"u1": {"a": 2.0, "c": 1.0}, "u2": {"a": 2.0, "b": 1.0}, "u3": {"b": 1.0}}
    >>> gw.catalog_coverage(run, cutoff=1, catalog=4)
    0.5
    """
    check_least(1, cutoff=cutoff)
    read, numbering = read_run(run), ids.Numbering()
    rank = np.arange(len(read)) - read.offsets[:-1].repeat(read.sizes)
    shown = read.docs.take(read.ranked(ties=ties, seed=seed)[rank < cutoff])
    if isinstance(catalog, int):
        numbering.add(shown.data, shown.offsets)
        found, size = len(numbering), catalog
    else:
        judged = read_qrels(catalog).docs
        numbering.add(judged.data, judged.offsets)
        numbers = numbering.find(shown.data, shown.offsets)
        found, size = len(np.unique(numbers[numbers >= 0])), len(numbering)
    if size < max(found, 1):
        raise OptionError(f"the catalog has {size} documents, but the run shows {found}")
    return found / size


def documents_of(runs: Iterable[RunLike]) -> int:
    """Return how many documents runs retrieve together, at any rank."""
    numbering = ids.Numbering()
    for run in runs:
        docs = read_run(run).docs
        numbering.add(docs.data, docs.offsets)
    return len(numbering)
