"""gradewise's measures as objects of ir_measures, which can call them."""

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import ir_measures
import numpy as np
from ir_measures.measures.base import Agg

from gradewise.measures.grammar import MeasureLike, parse_measure
from gradewise.measures.measure import Measure
from gradewise.measures.parameters import PARAMETERS, as_literal
from gradewise.measures.registry import all_measures
from gradewise.measures.summaries import summarize
from gradewise.plugins.ir_measures.joined import topic_values

if TYPE_CHECKING:
    import pandas as pd

PREFIX = "gw_"  # of names that ir_measures has itself


class Summary(Agg):
    """A measure's own summary over topics, added up value by value."""

    def __init__(self, measure: Measure):
        self.measure, self.values = measure, list[float]()

    def add(self, value: float) -> None:
        """Add the value of a topic."""
        self.values.append(value)

    def result(self) -> float:
        """Return the mean, sum or geometric mean; undefined values (NaN) are left out."""
        values = np.array([self.values])
        return float(summarize(self.measure, values, np.ones(values.shape, np.bool_))[0])


class GradewiseMeasure(ir_measures.Measure):
    """A measure of gradewise; ir_measures computes it by `runtime_impl`, as those defined by users.

    Its name can be read by ir_measures, whose parser knows no lists: `GAP(g='0.5,0.5')`.
    """

    declared: ClassVar[type[Measure]]
    RUN_INPUTS: ClassVar[list[str]] = ["query_id", "doc_id", "score"]
    QREL_INPUTS: ClassVar[list[str]] = ["query_id", "doc_id", "relevance"]

    def __init__(self, **params: Any):
        super().__init__(**params)  # type: ignore[no-untyped-call]
        if params:  # what is wrong with them is told at once
            _ = self.gradewise_measure

    @cached_property
    def gradewise_measure(self) -> Measure:
        """The measure itself; some cannot do without parameters."""
        return self.declared(**self.params)

    def validate_params(self) -> None:
        """Raise a MeasureError if the measure needs a cutoff or a parameter and has none."""
        self.gradewise_measure.check_cutoff()

    def runtime_impl(
        self, qrels: "pd.DataFrame", run: "pd.DataFrame"
    ) -> Iterator[ir_measures.Metric]:
        """Give the value of each judged topic."""
        for topic, value in topic_values(self.gradewise_measure, qrels, run):
            yield ir_measures.Metric(topic, self, value)

    def aggregator(self) -> Summary:
        """Return the measure's own summary, with nothing added yet."""
        return Summary(self.gradewise_measure)

    def __repr__(self) -> str:
        if not self.params and not self.declared.always_shown:
            return str(self.NAME)
        measure = self.gradewise_measure
        shown = [
            f"{name}={_quoted(getattr(measure, name))}"
            for name, default in measure.parameters().items()
            if getattr(measure, name) != default or name in measure.always_shown
        ]
        inside = f"({','.join(shown)})" if shown else ""
        return f"{self.NAME}{inside}" + ("" if measure.cutoff is None else f"@{measure.cutoff}")

    def __reduce__(self) -> tuple[Any, ...]:
        return wrap, (self.gradewise_measure,)


def wrap(measure: MeasureLike) -> GradewiseMeasure:
    """Return a measure of gradewise, by name or as such, for ir_measures.

    Examples
    --------
    >>> from gradewise.plugins.ir_measures import wrap
    >>> wrap("GAP(g=[0.5,0.5])@100")
    GAP(g='0.5,0.5')@100
    >>> wrap("nDCG(dcg='jk')@10")
    gw_nDCG(dcg='jk')@10
    """
    parsed = parse_measure(measure)
    options = {name: getattr(parsed, name) for name in parsed.parameters()}
    if parsed.cutoff is not None:
        options["cutoff"] = parsed.cutoff
    return _class_of(type(parsed))(**options)


def foreign_name(declared: type[Measure]) -> str:
    """Return what a measure is called in ir_measures: its name, marked if that is taken there."""
    return PREFIX + declared.name if declared.name in _THEIRS else declared.name


def register_all() -> dict[str, GradewiseMeasure]:
    """Make ir_measures' parser know all measures; return them by name."""
    for declared in all_measures():
        made = _class_of(declared)()
        name = foreign_name(declared)
        if name not in ir_measures.measures.registry:
            ir_measures.measures.register(made, name=name)
        _BY_NAME[name] = made
    return _BY_NAME


_THEIRS = frozenset(ir_measures.measures.registry)
_BY_NAME: dict[str, GradewiseMeasure] = {}
_CLASSES: dict[type[Measure], type[GradewiseMeasure]] = {}


def _class_of(declared: type[Measure]) -> type[GradewiseMeasure]:
    if declared not in _CLASSES:
        name = foreign_name(declared)
        about = (declared.__doc__ or "").partition("\n")[0]
        content = {
            "declared": declared,
            "NAME": name,
            "__name__": name,
            "PRETTY_NAME": declared.name,
            "SHORT_DESC": about,
            "SUPPORTED_PARAMS": _parameters(declared),
            "__doc__": declared.__doc__,
            "__module__": __name__,
        }
        _CLASSES[declared] = type(f"_{name}", (GradewiseMeasure,), content)
    return _CLASSES[declared]


def _parameters(declared: type[Measure]) -> dict[str, Any]:
    known = {
        name: ir_measures.ParamInfo(default=default, desc=PARAMETERS[name].meaning)
        for name, default in declared.parameters().items()
    }
    if declared.cutoff_rule != "none":
        required = declared.cutoff_rule != "optional"
        known["cutoff"] = ir_measures.ParamInfo(required=required, desc="rank or recall level")
    return known


def _quoted(value: Any) -> str:
    """Write a parameter so that ir_measures reads it: lists as text."""
    is_list = isinstance(value, tuple) and not isinstance(value[0], tuple)
    return repr(",".join(map(repr, value))) if is_list else as_literal(value)
