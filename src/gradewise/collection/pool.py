"""Pool: the judged documents of a collection, without their ids."""

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from gradewise.arrays import Bools, Floats, Ints
from gradewise.collection.intents import Intents
from gradewise.collection.levels import NEGATIVE, count_levels, to_levels
from gradewise.collection.preferences import Preferences
from gradewise.collection.sample import Sample
from gradewise.errors import OptionError

Negative = Literal["nonrelevant", "unjudged"]


@dataclass(frozen=True, eq=False)
class Pool:
    """The judged documents of all topics, a row each, in the order of the qrels.

    `topic` is the position of a document's topic among the topics of lists, `numbers` holds the
    grades as they were read, and `level` where they are on the scale. `rest[t, i]` counts further
    judged documents of level i, of which no more is known. `intents` holds the grades for each
    intent, if the judgments name any; `sample` tells how documents were drawn, `preferences` which
    of them are better than others, where that was judged instead of grades.
    """

    topic: Ints
    numbers: Ints | Floats
    level: Ints
    rest: Ints | None = None
    intents: Intents | None = None
    sample: Sample | None = None
    preferences: Preferences | None = None

    def __len__(self) -> int:
        return len(self.topic)

    @property
    def grades(self) -> Ints:
        """The grade of every row."""
        return self.numbers.astype(np.int64)

    def with_grades(self, grades: Ints, scale: Ints) -> "Pool":
        """Return the same documents with other grades, which must be on the scale.

        Documents that keep their grade keep those for intents, those that get a negative one get it
        for all intents; of other changes nothing is known by intent, so that intents are dropped.
        """
        self._check_size("grades", grades)
        level = to_levels(grades, scale)
        on_scale = np.append(scale, 0)[np.maximum(level, 1) - 1] == grades
        unknown = (grades > 0) & ~on_scale
        if unknown.any():
            known = ", ".join(map(str, scale)) or "none"
            raise OptionError(
                f"grade {grades[unknown][0]} does not occur in the judgments "
                f"(positive grades: {known})"
            )
        intents, lost = self.intents, grades < 0
        if intents is not None:
            same = np.maximum(grades, 0) == np.maximum(self.numbers, 0)
            intents = intents.without(lost) if (same | lost).all() else None
        return replace(self, numbers=grades, level=level.astype(np.int32), intents=intents)

    def where(self, kept: Bools) -> "Pool":
        """Return the documents that are kept."""
        self._check_size("kept", kept)
        intents = None if self.intents is None else self.intents.where(kept)
        sample = None if self.sample is None else self.sample.take(kept)
        pairs = None if self.preferences is None else self.preferences.where(kept)
        grades = self.numbers[kept], self.level[kept]
        return Pool(self.topic[kept], *grades, self.rest, intents, sample, pairs)

    def counts(self, scale: Ints, *, topics: int, negative: Negative) -> Ints:
        """Count the documents of each topic by level."""
        counted = self.level != NEGATIVE if negative == "unjudged" else None
        found = count_levels(self.topic, self.level, topics=topics, scale=scale, counted=counted)
        return found if self.rest is None else found + self.rest

    def _check_size(self, name: str, values: Ints | Bools) -> None:
        if values.shape != (len(self),):
            raise OptionError(
                f"{name} must have {len(self)} values, one for each judged document; "
                f"its shape is {values.shape}"
            )
