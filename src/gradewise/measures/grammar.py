"""The syntax of measures: `Name(parameter=value, …)@cutoff`, and trec_eval's names."""

import ast
import re
from typing import Any

from gradewise.errors import MeasureError
from gradewise.measures.measure import Measure, MeasureType
from gradewise.measures.registry import find_measure, is_name

_MEASURE = re.compile(
    r"\s*(?P<name>[A-Za-z0-9_\-]+)\s*(?:\((?P<inside>.*)\))?\s*(?:@\s*(?P<cutoff>[^@()]+?))?\s*",
    re.DOTALL,
)

MeasureLike = str | Measure | type[Measure]


def parse_measure(text: MeasureLike) -> Measure:
    """Read a measure from its name; a measure is returned as it is.

    Parameters are Python literals: `GAP(g=[0.5,0.5])@100`, `nDCG(dcg='exp-log2')@10`. A cutoff
    may also be written as trec_eval does (`ndcg_cut.10`, `P_5`). `str()` of a measure gives its
    canonical name, which parses to an equal measure.

    Examples
    --------
    >>> import gradewise as gw
    >>> gw.parse_measure("MAP@100")
    AP@100
    >>> gw.parse_measure("GAP(g=[0.5, 0.5])") == gw.parse_measure("GAP(g=[.5,.5])")
    True
    >>> gw.parse_measure("ndcg_cut.10")
    nDCG@10
    """
    measures = parse_measures(text)
    if len(measures) != 1:
        raise MeasureError(f"{text!r} names {len(measures)} measures where one is expected")
    return measures[0]


def parse_measures(text: MeasureLike) -> list[Measure]:
    """Read one measure, or the several that a trec_eval name such as `P.5,10` stands for."""
    if not isinstance(text, str):
        measure = text() if isinstance(text, MeasureType) else text
        measure.check_cutoff()
        return [measure]
    match = _MEASURE.fullmatch(text)
    if match is None or not is_name(match["name"]):
        from gradewise.measures.trec_names import trec_measures

        named = trec_measures(text.strip())
        if named is not None:
            return named
    if match is None:
        raise MeasureError(f"{text!r} is not a measure; write it as Name(parameter=value)@cutoff")
    cutoff = None if match["cutoff"] is None else _literal(match["cutoff"], text)
    found = find_measure(match["name"])(cutoff=cutoff, **_arguments(match["inside"] or "", text))
    found.check_cutoff()
    return [found]


def _arguments(inside: str, text: str) -> dict[str, Any]:
    """Read `a=1, b=[2, 3]` as Python would."""
    try:
        call = ast.parse(f"f({inside})", mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise MeasureError(f"{text!r}: cannot read the parameters ({inside})") from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise MeasureError(f"{text!r}: cannot read the parameters ({inside})")
    if call.args:
        raise MeasureError(f"{text!r}: parameters need names, as in GAP(g=[0.5,0.5])")
    arguments: dict[str, Any] = {}
    for keyword in call.keywords:
        if keyword.arg in (None, "cutoff") or keyword.arg in arguments:
            raise MeasureError(f"{text!r}: cannot read the parameters ({inside})")
        arguments[str(keyword.arg)] = _evaluate(keyword.value, text)
    return arguments


def _literal(source: str, text: str) -> Any:
    try:
        return _evaluate(ast.parse(source.strip(), mode="eval").body, text)
    except (SyntaxError, ValueError):
        raise MeasureError(f"{text!r}: {source!r} is not a number") from None


def _evaluate(node: ast.expr, text: str) -> Any:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, MemoryError, RecursionError):
        raise MeasureError(f"{text!r}: {ast.unparse(node)} is not a number or literal") from None
