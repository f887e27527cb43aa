"""Intent-aware measures: the mean of any measure over the intents of a topic.

An intent takes the place of a topic, its judgments that of the topic's, and any measure of the two
families is computed as it stands. So one construction serves all of them.
"""

from typing import ClassVar

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.intents import Intents
from gradewise.collection.judged import Judged
from gradewise.errors import MeasureError
from gradewise.measures.average_precision import AP
from gradewise.measures.cumulated_gain import nDCG
from gradewise.measures.graded_average_precision import GAP, eGAP, xGAP
from gradewise.measures.measure import Measure, MeasureType, ratio
from gradewise.measures.parameters import EQUAL, Dcg, Gains, Norm, Thresholds
from gradewise.measures.precision import P
from gradewise.measures.references import AGRAWAL_2009, NDEVAL
from gradewise.measures.registry import register

FAMILIES = ("pivot", "gain-discount")
SUM_OF_WEIGHTS = (
    "NTCIREVAL does not divide by the weights of the intents that count: where some intents have "
    "no relevant document, its value is lower by their share."
)


class OverIntents(Measure):
    """A measure that knows the intents of topics."""

    family: ClassVar[str] = "diversity"
    uses_intents: ClassVar[bool] = True

    def values(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        self.known_intents(judged)
        return super().values(judged)

    def known_intents(self, judged: Judged) -> Intents:
        """Return the intents of the judgments, or raise a MeasureError if they name none."""
        if judged.intents is None:
            raise MeasureError(
                f"{self} needs intents, but the judgments have none; give the intent of each "
                "judgment in the second column of the qrels or in a column `intent`"
            )
        return judged.intents

    def shares(self, judged: Judged) -> Floats:
        """Return the weight of each intent; 0 if no document is relevant to it."""
        relevant = judged.by_intent.relevant(getattr(self, "rel", 1)) > 0
        return np.where(relevant, self.known_intents(judged).weights, 0.0)

    def average(self, judged: Judged, values: Floats) -> Floats:
        """Return the mean, over the intents of each list's topic, of a value for each intent."""
        intents, shares = self.known_intents(judged), self.shares(judged)
        sums = intents.sums(values.reshape(len(judged.runs), len(intents)) * shares)
        return ratio(sums, intents.sums(shares)).ravel()


class IntentAware(OverIntents):
    """The mean of a plain measure over intents; `of` is that measure."""

    of: ClassVar[type[Measure]]

    def __init_subclass__(cls, of: type[Measure]) -> None:
        cls.of = of
        cls._parameters = of.parameters()
        for name in ("cutoff_rule", "aggregate", "higher_is_better", "always_shown", "meanings"):
            setattr(cls, name, getattr(of, name))
        super().__init_subclass__()

    @property
    def plain(self) -> Measure:
        """The measure that is computed for each intent."""
        values = {name: getattr(self, name) for name in self._parameters}
        return self.of(cutoff=self.cutoff, **{**values, "judged_only": False})

    def check(self) -> None:
        """Raise a MeasureError if the parameters do not go together."""
        _ = self.plain

    def compute(self, judged: Judged) -> Floats:
        """Return the value of every list."""
        return self.average(judged, self.plain.compute(judged.by_intent))


def intent_aware(measure: type[Measure]) -> type[Measure]:
    """Return the intent-aware form of a measure of the two families."""
    for known in IntentAware.__subclasses__():
        if known.of is measure:
            return known
    return _make(measure)


def _make(measure: type[Measure]) -> type[Measure]:
    if measure.family not in FAMILIES:
        raise MeasureError(
            f"{measure.name} has no intent-aware form; measures of the pivot and the gain-discount "
            "family have one"
        )
    name = f"{measure.name}_IA"
    contents = {"__module__": __name__, "__doc__": _documentation(measure), "name": name}
    made: type[IntentAware] = MeasureType(  # type: ignore[assignment]
        name, (IntentAware,), {**contents, "references": _references(measure)}, of=measure
    )
    return register(made, listed=False)


def _references(measure: type[Measure]) -> tuple[str, ...]:
    return (AGRAWAL_2009, *measure.references)


def _documentation(measure: type[Measure]) -> str:
    return f"""Intent-aware {measure.name}: the mean of {measure.name} over intents.

    Definition
    ----------
    {measure.name}_IA = Σ_i P(i) M_i, where M_i is {measure.name} under the judgments for intent i
    alone and P(i) the weight of the intent among the intents of the topic.
    """


def __getattr__(name: str) -> type[Measure]:
    """Find measures that were made when they were asked for, as pickle does."""
    from gradewise.measures.registry import find_measure, is_known

    base = name.removesuffix("_IA")
    if base != name and is_known(base) and find_measure(base).family in FAMILIES:
        return intent_aware(find_measure(base))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


@register
class AP_IA(IntentAware, of=AP):  # noqa: N801 - the community's spelling
    """Intent-aware average precision: the mean of AP over intents.

    Definition
    ----------
    AP_IA = Σ_i P(i) M_i, where M_i is AP under the judgments for intent i alone and P(i) the
    weight of the intent. ndeval calls it `MAP-IA`.

    Examples
    --------
    1/3 for the island, whose document is at rank 3, and 1 for the language:

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> round(float(gw.evaluate(qrels, run, "AP_IA")), 4)
    0.6667
    """

    rel: int = 1
    norm: Norm = "R"
    references = (AGRAWAL_2009, NDEVAL)


@register
class P_IA(IntentAware, of=P):  # noqa: N801
    """Intent-aware precision at k: the mean of P@k over intents.

    Definition
    ----------
    P_IA@k = Σ_i P(i) M_i, where M_i is P@k under the judgments for intent i alone and P(i) the
    weight of the intent.

    Examples
    --------
    0 for the island and 1 for the language:

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> float(gw.evaluate(qrels, run, "P_IA@2"))
    0.5
    """

    rel: int = 1
    references = (AGRAWAL_2009, NDEVAL)


@register
class nDCG_IA(IntentAware, of=nDCG):  # noqa: N801
    """Intent-aware nDCG: the mean of nDCG over intents.

    Definition
    ----------
    nDCG_IA = Σ_i P(i) M_i, where M_i is nDCG under the judgments for intent i alone, with an ideal
    list of its own, and P(i) the weight of the intent.

    Examples
    --------
    1/log2(4) for the island and 1 for the language:

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 1, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> float(gw.evaluate(qrels, run, "nDCG_IA"))
    0.75
    """

    dcg: Dcg = "log2"
    b: float = 2.0
    gains: Gains = None
    differs = (
        "NTCIREVAL's IA-MSnDCG@k is `nDCG_IA@k` with the weights of its Iprob file "
        "(--intent-weights).",
        SUM_OF_WEIGHTS,
    )
    references = _references(nDCG)


@register
class GAP_IA(IntentAware, of=GAP):  # noqa: N801
    """Intent-aware graded average precision: the mean of GAP over intents.

    Definition
    ----------
    GAP_IA = Σ_i P(i) M_i, where M_i is GAP under the grades for intent i alone and P(i) the
    weight of the intent. Threshold probabilities refer to the grades of all intents.

    Examples
    --------
    1/3 for the island, whose document is at rank 3, and 1 for the language:

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 2, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> round(float(gw.evaluate(qrels, run, "GAP_IA(g=[0.5,0.5])")), 4)
    0.6667
    """

    g: Thresholds = EQUAL
    references = _references(GAP)


@register
class eGAP_IA(IntentAware, of=eGAP):  # noqa: N801
    """Intent-aware eGAP: the mean of eGAP over intents.

    Definition
    ----------
    eGAP_IA = Σ_i P(i) M_i, where M_i is eGAP under the grades for intent i alone and P(i) the
    weight of the intent. Threshold probabilities refer to the grades of all intents.

    Examples
    --------
    No document about the island has grade 2, so that half of its users find nothing. It gets
    1/2 · 1/3, and the language 1:

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 2, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> round(float(gw.evaluate(qrels, run, "eGAP_IA(g=[0.5,0.5])")), 4)
    0.5833
    """

    g: Thresholds = EQUAL
    references = _references(eGAP)


@register
class xGAP_IA(IntentAware, of=xGAP):  # noqa: N801
    """Intent-aware xGAP: the mean of xGAP over intents.

    Definition
    ----------
    xGAP_IA = Σ_i P(i) M_i, where M_i is xGAP under the grades for intent i alone and P(i) the
    weight of the intent. Threshold probabilities refer to the grades of all intents.

    Examples
    --------
    No document about the island has grade 2, so that half of its users find nothing. It gets
    1/2 · 1/3; the language gets 3/4 + 1/2 · 1/2:

    >>> import gradewise as gw
    >>> qrels = {"java": {"island": {"a": 1}, "language": {"b": 2, "c": 1}}}
    >>> run = {"java": {"b": 3.0, "c": 2.0, "a": 1.0}}
    >>> round(float(gw.evaluate(qrels, run, "xGAP_IA(g=[0.5,0.5])")), 4)
    0.5833
    """

    g: Thresholds = EQUAL
    references = _references(xGAP)
