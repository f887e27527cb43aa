"""Groups of topics found in scores and judgments: hard and easy, few and many to find."""

from collections.abc import Collection

import numpy as np

from gradewise.collection.attributes import Attribute, split_at_median
from gradewise.measures.scores import Scores


def found_groups(scores: Scores, *, besides: Collection[str] = ()) -> tuple[Attribute, ...]:
    """Return groups of topics by difficulty and by how many highly relevant documents they have.

    A topic is hard if the median over runs of the first measure is at most that of the median
    topic, or above it for a measure for which lower is better. Judgments, if the scores still have
    them, separate topics with few documents of the highest grade from those with many. What does
    not split topics into groups of three or more is left out, and so are attributes that are known
    `besides`.

    Examples
    --------
    >>> import gradewise as gw
    >>> sample = gw.simulate.collection(topics=10, runs=3, depth=50, seed=1)
    >>> scores = gw.evaluate(sample.qrels, sample.runs, "AP")
    >>> [(each.name, each.groups) for each in found_groups(scores)]
    [('difficulty', ('hard', 'easy')), ('number of grade 2 documents', ('few', 'many'))]
    """
    found = [_difficulty(scores), _highly_relevant(scores)]
    return tuple(each for each in found if each is not None and each.name not in besides)


def _difficulty(scores: Scores) -> Attribute | None:
    values = np.where(scores.counted, scores.values[:, :, 0], np.nan)
    known = ~np.isnan(values).all(axis=0)
    if known.sum() < 2:
        return None
    measure, medians = scores.measures[0], np.full(len(scores.topics), np.nan)
    medians[known] = np.nanmedian(values[:, known], axis=0)
    names = ("hard", "easy") if measure.higher_is_better else ("easy", "hard")
    made = split_at_median(
        "difficulty",
        medians[known],
        names,
        lambda middle: (
            f"{names[0]} topics are those whose median {measure} over all runs is at most "
            f"{middle:.3f}"
        ),
    )
    if made is None:
        return None
    labels = np.full(len(medians), -1)
    labels[known] = made.labels
    return Attribute(made.name, made.groups, labels, made.about, found=True)


def _highly_relevant(scores: Scores) -> Attribute | None:
    fit = scores.coverage
    if fit is None or fit.judged.topics != scores.topics or not len(fit.judged.scale):
        return None
    grades, counts = fit.judged.scale, fit.judged.counts[:, -1]
    kind = f"grade {grades[-1]}" if len(grades) > 1 else "relevant"
    return split_at_median(
        f"number of {kind} documents",
        counts.astype(np.float64),
        ("few", "many"),
        "few are at most {:g}".format,
    )
