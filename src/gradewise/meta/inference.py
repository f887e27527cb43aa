"""Lists inferred from the value of a measure, and how far the inference is off."""

from dataclasses import dataclass
from hashlib import blake2b

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.collection.judged import Judged, Lists
from gradewise.jobs import Tell
from gradewise.measures.grammar import parse_measure
from gradewise.measures.measure import Measure
from gradewise.meta.forms import Form, form_of
from gradewise.meta.maximum_entropy import Solution, solve

INFERRED = ("P@10", "Rprec", "AP", "nDCG")


@dataclass(frozen=True)
class Inference:
    """A measure and a batch of lists, with what they retrieve and the values they have.

    Without a measure, lists are inferred from what they retrieve alone.
    """

    measure: Measure | None
    judged: Judged
    batch: Ints
    counts: Floats
    target: Floats

    @property
    def amount(self) -> int:
        """How many lists there are."""
        return len(self.batch)

    def infer(self) -> tuple[Solution, Lists]:
        """Return the distributions of maximum entropy, and their lists."""
        judged, batch = self.judged, self.batch
        lists = Lists(judged.scale, judged.counts, judged.topic[batch], judged.retrieved[batch])
        size = int(lists.retrieved.max())
        inside = np.arange(size)[:, None] < lists.retrieved
        if self.measure is None:
            form = Form(np.zeros((size, len(judged.scale), len(batch))))
        else:
            form = form_of(self.measure, lists, size)
        return solve(form, self.counts, self.target, inside), lists

    def do(self, shared: None, tell: Tell) -> dict[str, Floats]:
        """Solve the lists, and compare curves and values."""
        solution, lists = self.infer()
        rms, mae = _curve_errors(solution.p, self.judged, self.batch)
        others = [form_of(parse_measure(what), lists, len(solution.p)) for what in INFERRED]
        return {
            "rms": rms,
            "mae": mae,
            "inferred": np.array([other.value(solution.p) for other in others]),
            "converged": solution.converged.astype(np.float64),
            "certified": solution.certified.astype(np.float64),
        }

    def name(self, shared: None = None) -> str:
        """Return a name that changes with the measure, the lists and their judgments."""
        hits, batch = self.judged.hits, self.batch
        low, high = np.searchsorted(hits.list, [batch[0], batch[-1] + 1])
        digest = blake2b(str(self.measure).encode(), digest_size=16)
        columns = [column[low:high] for column in (hits.list, hits.rank, hits.level)]
        rest = (batch, self.judged.counts, self.judged.scale, self.judged.retrieved[batch])
        for array in (*columns, *rest):
            digest.update(np.ascontiguousarray(array).astype(np.int64).tobytes())
        return digest.hexdigest()


def _curve_errors(p: Floats, judged: Judged, batch: Ints) -> tuple[Floats, Floats]:
    """Compare real and inferred precision where recall changes, [threshold, list].

    Ranks that cannot hold a relevant document are no points of the inferred curve.
    """
    hits, levels = judged.relevant_hits, len(judged.scale)
    rms, mae = np.full((2, levels, len(batch)), np.nan)
    chance = np.cumsum(p[:, ::-1], axis=1)[:, ::-1]  # of a level and above
    expected = chance.cumsum(axis=0)
    rank = np.arange(1, len(p) + 1)
    edges = np.searchsorted(hits.list, [batch, batch + 1])
    for index, (low, high) in enumerate(edges.T.tolist()):
        ranks, level = hits.rank[low:high], hits.level[low:high]
        for threshold in range(levels):
            real = ranks[level > threshold]
            if not len(real):
                continue
            found = np.arange(1, len(real) + 1)
            some = chance[:, threshold, index] > 0
            curve = expected[some, threshold, index]
            wrong = np.interp(found, curve, curve / rank[some]) - found / real
            rms[threshold, index] = np.sqrt((wrong**2).mean())
            mae[threshold, index] = np.abs(wrong).mean()
    return rms, mae
