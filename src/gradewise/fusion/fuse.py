"""fuse: several runs combined into one."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gradewise.arrays import Floats, Ints
from gradewise.choices import choose
from gradewise.collection.accepted import RunsLike
from gradewise.collection.ids import Ids
from gradewise.collection.naming import name_runs
from gradewise.collection.reading import read_run
from gradewise.collection.run import Run
from gradewise.collection.ties import TIES, Ties
from gradewise.errors import InputError, OptionError, check_choice, counted
from gradewise.fusion.combining import order_documents
from gradewise.fusion.lists import Lists, Stack
from gradewise.fusion.methods import METHODS, FusionMethod, Method
from gradewise.fusion.normalizations import NORMALIZATIONS, Normalize

Weights = Sequence[float] | Mapping[str, float] | Floats


def fuse(
    runs: RunsLike,
    method: Method = "rrf",
    *,
    normalize: Normalize | None = None,
    weights: Weights | None = None,
    depth: int | None = None,
    ties: Ties = "trec",
    seed: int = 0,
    name: str | None = None,
    **parameters: float,
) -> Run:
    """Combine several runs into one.

    A topic that a run misses counts as an empty list. The fused run has all topics and, for each
    topic, all documents of the lists, best first; documents with equal fused scores are in the
    order of trec_eval, greater id first.

    Parameters
    ----------
    runs
        A list or a dictionary {name: run}; each a Run or anything that `read_run` takes.
    method
        The name of a method in `gradewise.fusion.METHODS`, such as "rrf", "combmnz" or "w_sum".
    normalize
        How scores are made comparable before methods that use them: the name of a normalization in
        `gradewise.fusion.NORMALIZATIONS`, "min-max" if not given. Methods that use ranks take only
        "min-max-inverted", for runs in which lower scores are better.
    weights
        A weight for each run, in their order or by name, for methods that use weights; all 1 if
        not given.
    depth
        Use only this many documents of each list.
    ties
        The order of documents with equal scores in a run, which decides their ranks: "trec"
        (greater id first, as in trec_eval 10), "input" (as given) or "random" (drawn from `seed`).
    name
        What to call the fused run; the name of the method if not given.
    parameters
        Parameters of the method: `k` of rrf (60), `phi` of rbc (0.8), `gamma` of combgmnz (1) and
        `sigma` of logn_isr (0.01).

    Examples
    --------
    >>> import gradewise as gw
    >>> words = {"t1": {"a": 12.5, "b": 11.0, "c": 7.5}}
    >>> vectors = {"t1": {"c": 0.9, "b": 0.8, "d": 0.7}}
    >>> fused = gw.fuse({"words": words, "vectors": vectors})
    >>> fused.ranking("t1")
    ['c', 'b', 'a', 'd']
    >>> gw.fuse([gw.read_run(words, "w"), gw.read_run(vectors, "v")], "w_sum", weights=[2, 1])
    Run('w_sum', 1 topic, 4 documents)
    """
    rule = FusionRule.of(method, normalize, parameters)
    check_choice("ties", ties, TIES)
    if depth is not None and depth < 1:
        raise OptionError(f"depth must be at least 1, not {depth}")
    read = [read_run(source, name) for name, source in name_runs(runs)]
    stack = rule.stack(read, depth=depth, ties=ties, seed=seed)
    given = settle_weights(weights, [run.name for run in read], method)
    return replace(
        rule.fuse(stack.topics, rule.prepare(stack), given),
        name=name or method,
        notes=tuple(tell_assumptions(stack)),
    )


@dataclass(frozen=True)
class FusionRule:
    """How to fuse: a method with its parameters, and a normalization."""

    method: FusionMethod
    normalize: Normalize
    parameters: Mapping[str, float]

    @staticmethod
    def of(
        method: Method, normalize: Normalize | None, parameters: Mapping[str, Any]
    ) -> "FusionRule":
        """Check and complete what was chosen."""
        chosen = choose("method", method, METHODS)
        if normalize is None:
            normalize = "min-max" if chosen.uses == "scores" else "none"
        normalization = choose("normalize", normalize, NORMALIZATIONS)
        if chosen.uses == "ranks" and normalize != "none" and not normalization.inverts:
            raise OptionError(
                f"{method} uses ranks, on which normalize={normalize!r} has no effect; leave it out"
            )
        return FusionRule(chosen, normalize, chosen.settle(method, parameters))

    def stack(self, runs: Sequence[Run], **rules: Any) -> Stack:
        """Put runs side by side, with scores that are high for good documents."""
        if len(runs) < 2:
            raise OptionError(
                f"only {counted(len(runs), 'run')} was given; fusion needs at least 2"
            )
        if NORMALIZATIONS[self.normalize].inverts:
            runs = [replace(run, numbers=-run.numbers) for run in runs]
        stack = Stack(runs, **rules)
        if not stack.sizes.any():
            raise InputError("the runs have no documents for these topics")
        return stack

    def prepare(self, stack: Stack) -> Iterator[Lists]:
        """Give lists with normalized values, some topics at once."""
        chosen = NORMALIZATIONS[self.normalize]
        for lists in stack.blocks(by_pair=self.method.by_pair or chosen.completes):
            if self.method.uses == "ranks":
                yield lists
            else:
                ready = lists.completed() if chosen.completes else lists
                yield replace(ready, value=chosen.function(ready))

    def fuse(self, topics: tuple[str, ...], blocks: Iterable[Lists], weights: Floats) -> Run:
        """Return the fused run, the documents of each topic best first."""
        sizes: list[Ints] = [np.zeros(1, np.int64)]
        docs: list[Ids] = []
        numbers: list[Floats] = []
        for lists in blocks:
            scores = self.method.apply(lists, weights, self.parameters)
            order = order_documents(lists, scores)
            sizes.append(lists.candidates)
            docs.append(lists.docs.take(order))
            numbers.append(scores[order])
        offsets = np.cumsum(np.concatenate(sizes))
        return Run(topics, offsets, Ids.concatenate(docs), np.concatenate(numbers), "fused")


def settle_weights(weights: Weights | None, names: Sequence[str], method: Method) -> Floats:
    """Return a weight for each run."""
    if weights is None:
        return np.ones(len(names))
    if not METHODS[method].weighted:
        known = ", ".join(name for name, each in METHODS.items() if each.weighted)
        raise OptionError(f"{method} does not use weights; methods that do: {known}")
    if isinstance(weights, Mapping):
        if set(weights) != set(names):
            raise OptionError(
                f"weights are given for {', '.join(weights)}, but the runs are {', '.join(names)}"
            )
        weights = [weights[name] for name in names]
    found = np.asarray(weights, np.float64)
    if found.shape != (len(names),):
        raise OptionError(f"{counted(found.size, 'weight')} given for {counted(len(names), 'run')}")
    if not (np.isfinite(found).all() and (found >= 0).all() and found.any()):
        raise OptionError("weights must be 0 or more, and not all 0")
    return found


def tell_assumptions(stack: Stack) -> list[str]:
    """Return what was assumed when runs were read, and which runs miss topics."""
    notes = [f"{run.name}: {note}" for run in stack.runs for note in run.notes]
    missed = [
        f"{counted(len(stack.topics) - len(run.topics), 'topic')} from {run.name}"
        for run in stack.runs
        if len(run.topics) < len(stack.topics)
    ]
    if missed:
        shown = ", ".join(missed[:5]) + (f" and {len(missed) - 5} other runs" if missed[5:] else "")
        notes.append(f"missing {shown}; a topic missing from a run counts as an empty list")
    return notes
