"""The syntax of measures: `Name(parameter=value, …)@cutoff`, trec_eval's names, and presets."""

import ast
import re
from collections.abc import Iterable
from typing import Any, NamedTuple, cast

from gradewise.errors import MeasureError, shown_text
from gradewise.expressions import parse_expression, read_literal
from gradewise.measures.ir_measures_names import (
    IrMeasure,
    from_ir_measures,
    is_ir_measure,
    own_spelling,
)
from gradewise.measures.measure import Measure, MeasureType
from gradewise.measures.parameters import PARAMETERS
from gradewise.measures.presets import find_preset, is_preset
from gradewise.measures.registry import find_measure, is_name

_NAME = re.compile(r"[A-Za-z0-9_α#♯+\-]+")
_NCU = re.compile(r"(NCU(?:gu|rb|u)),(P|BR)\b", re.IGNORECASE)  # NTCIREVAL's NCUgu,P
_ZEROS = re.compile(r"^0+(?=[0-9])")  # NTCIREVAL's nDCG@0010
_PRESET = re.compile(r"=\s*@(?=[A-Za-z])")  # gains=@trec-web
_AT = re.compile(r"\s*(?P<name>\w+?)_at_(?P<cutoff>[0-9]+)\s*")  # ndcg_at_10
# What needs no quotes where a parameter takes words: linear, exp-log2, min(k,R).
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?:\(\s*[A-Za-z]\s*,\s*[A-Za-z]\s*\))?")

MeasureLike = str | Measure | type[Measure] | IrMeasure


def parse_measure(text: MeasureLike) -> Measure:
    """Read a measure from its name; a measure is returned as it is, also one of ir_measures.

    Parameters are Python literals: `GAP(g=[0.5,0.5])@100`, `nDCG(dcg='exp-log2')@10`. Words need
    no quotes: `RBP(gains=linear)`. A list may be a text, for tools that cannot pass lists:
    `GAP(g='0.5,0.5')`. A cutoff may also be written as trec_eval does (`ndcg_cut.10`, `P_5`), or as
    in `ndcg_at_10`. `str()` of a measure gives its canonical name, which parses to an equal
    measure.

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
        raise MeasureError(
            f"{shown_text(str(text))} names {len(measures)} measures where one is expected"
        )
    return measures[0]


def parse_measures(text: MeasureLike) -> list[Measure]:
    """Read one measure or several: `AP,nDCG@10`, `P@5,10`, `P.5,10` as trec_eval, or a preset.

    Examples
    --------
    >>> from gradewise.measures.grammar import parse_measures
    >>> parse_measures("AP,GAP(g=[0.5,0.5])@10")
    [AP, GAP(g=[0.5,0.5])@10]
    >>> parse_measures("@beir")
    [nDCG@10, R@100, RR@10]
    """
    if not isinstance(text, str):
        return [_given(text)]
    names = _split_names(_NCU.sub(r"\1\2", text))
    if len(names) > 1:
        if not all(name.strip() for name in names):
            raise MeasureError(f"{shown_text(text)}: a comma must separate two measures")
        return [measure for name in names for measure in parse_measures(name)]
    text = names[0]
    if is_preset(text):
        return [parse_measure(name) for name in find_preset(text).measures]
    match = _AT.fullmatch(text)
    if match is not None:
        text = f"{match['name']}@{match['cutoff']}"
    written = _take_apart(text.strip())
    if written is None or not is_name(written.name):
        from gradewise.measures.trec_names import trec_measures

        named = trec_measures(text.strip())
        if named is not None:
            return named
    if written is None:
        raise MeasureError(
            f"{shown_text(text)} is not a measure; write it as Name(parameter=value)@cutoff"
        )
    cutoffs = [None]
    if written.cutoff is not None:
        cutoffs = [_literal(cutoff, text) for cutoff in written.cutoff.split(",")]
    name, given = own_spelling(written.name, _arguments(written.inside, text))
    declared = find_measure(name)
    found = [declared(cutoff=cutoff, **given) for cutoff in cutoffs]
    for each in found:
        each.check_cutoff()
    return found


class _Written(NamedTuple):
    """The parts of a measure as it is written."""

    name: str
    inside: str
    cutoff: str | None


def _take_apart(text: str) -> _Written | None:
    """Return the parts of `Name(inside)@cutoff`, in one pass over the text; None if it is none."""
    found = _NAME.match(text)
    if found is None:
        return None
    rest, inside = text[found.end() :].lstrip(), ""
    if rest.startswith("("):
        end = rest.rfind(")")
        if end < 0:
            return None
        inside, rest = rest[1:end], rest[end + 1 :].lstrip()
    if not rest:
        return _Written(found[0], inside, None)
    cutoff = rest[1:].strip()
    if rest[0] != "@" or not cutoff or any(char in cutoff for char in "@()"):
        return None
    return _Written(found[0], inside, cutoff)


def as_list(measures: MeasureLike | Iterable[MeasureLike]) -> list[MeasureLike]:
    """Return one measure, by name or as such, or several of them, as a list."""
    if isinstance(measures, (str, Measure, MeasureType)) or is_ir_measure(measures):
        return [cast(MeasureLike, measures)]
    return list(cast(Iterable[MeasureLike], measures))


def _given(measure: Measure | type[Measure] | IrMeasure) -> Measure:
    """Return a measure that is given as such."""
    if is_ir_measure(measure):
        return from_ir_measures(cast(IrMeasure, measure))
    found = measure() if isinstance(measure, MeasureType) else measure
    if not isinstance(found, Measure):
        raise MeasureError(f"{measure!r} is not a measure; give a name such as 'nDCG@10'")
    found.check_cutoff()
    return found


def _split_names(text: str) -> list[str]:
    """Split at commas that are not in brackets and not among trec_eval's numbers, as in P.5,10."""
    depth = 0
    names: list[list[str]] = [[]]
    for part in re.split(r"([()\[\]{},])", text):
        if part == "," and depth == 0:
            names.append([])
            continue
        depth += (part in tuple("([{")) - (part in tuple(")]}"))
        if not names[-1] and len(names) > 1 and part.lstrip()[:1] in tuple(".0123456789"):
            names.pop()
            names[-1].append(",")
        if part:
            names[-1].append(part)
    return ["".join(parts) for parts in names]


def _arguments(inside: str, text: str) -> dict[str, Any]:
    """Read `a=1, b=[2, 3]` as Python would."""
    inside = " ".join(_PRESET.sub("=", inside).splitlines())
    source = f"f({inside})"
    wrong = f"{shown_text(text)}: cannot read the parameters ({shown_text(inside)[1:-1]})"
    try:
        call = parse_expression(source)
    except ValueError:
        raise MeasureError(wrong) from None
    if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
        raise MeasureError(wrong)
    if call.args:
        raise MeasureError(f"{shown_text(text)}: parameters need names, as in GAP(g=[0.5,0.5])")
    arguments: dict[str, Any] = {}
    encoded = source.encode()
    for keyword in call.keywords:
        if keyword.arg in (None, "cutoff") or keyword.arg in arguments:
            raise MeasureError(wrong)
        name = str(keyword.arg)
        word = _word(name, keyword.value, encoded)
        arguments[name] = _evaluate(keyword.value, text) if word is None else word
    return arguments


def _word(name: str, node: ast.expr, source: bytes) -> str | None:
    """Return a value without quotes, if the parameter takes words and the value is one."""
    takes_none = name in PARAMETERS and not PARAMETERS[name].words  # others are refused by name
    if takes_none or isinstance(node, ast.Constant):
        return None
    found = source[node.col_offset : node.end_col_offset].decode()
    return "".join(found.split()) if _WORD.fullmatch(found) else None


def _literal(source: str, text: str) -> Any:
    try:
        return _evaluate(parse_expression(_ZEROS.sub("", source.strip())), text)
    except ValueError:
        raise MeasureError(f"{shown_text(text)}: {shown_text(source)} is not a number") from None


def _evaluate(node: ast.expr, text: str) -> Any:
    try:
        return read_literal(node)
    except ValueError:
        raise MeasureError(
            f"{shown_text(text)} contains something that is neither a number nor a literal"
        ) from None
