"""Rules that select topics by their judged documents of each grade."""

import ast
from collections.abc import Callable
from typing import Any

import numpy as np

from gradewise.arrays import AnyArray, Bools
from gradewise.collection.judged import Judged
from gradewise.errors import GradewiseError, OptionError, counted
from gradewise.expressions import parse_expression

_OPERATIONS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: np.add,
    ast.Sub: np.subtract,
    ast.Mult: np.multiply,
    ast.Lt: np.less,
    ast.LtE: np.less_equal,
    ast.Gt: np.greater,
    ast.GtE: np.greater_equal,
    ast.Eq: np.equal,
    ast.NotEq: np.not_equal,
}


def choose_topics(judged: Judged, rule: str | None) -> Bools:
    """Return which topics a rule selects; all if there is none.

    A rule compares numbers of judged documents: `R(k)` counts those of grade k, `RB(k)` those of at
    least grade k, as in `R(1) >= 10 * R(2) > 0`; `and`, `or` and `not` combine comparisons.

    Examples
    --------
    >>> import gradewise as gw
    >>> qrels = {"t": {"a": 1, "b": 2}, "u": {"a": 1, "b": 1, "c": 2}}
    >>> judged = gw.judge(qrels, {"t": {"a": 1.0}})
    >>> choose_topics(judged, "R(1) >= 2 * R(2) > 0").tolist()
    [False, True]
    """
    if rule is None:
        return np.ones(len(judged.topics), np.bool_)
    try:
        chosen = _value(parse_expression(rule), judged)
    except GradewiseError:  # a clear sentence already
        raise
    except (ValueError, RecursionError, _NotARuleError):
        shown = rule if len(rule) <= 80 else rule[:77] + "..."
        raise OptionError(
            f"{shown!r} is not a rule for topics; expected one such as 'R(1) >= 10 * R(2) > 0'"
        ) from None
    if np.asarray(chosen).dtype != np.bool_:
        raise OptionError(f"{rule!r} is not a comparison; expected a rule such as 'R(2) > 0'")
    chosen = np.broadcast_to(chosen, (len(judged.topics),))
    if not chosen.any():
        raise OptionError(f"the rule {rule!r} selects none of {counted(len(chosen), 'topic')}")
    return chosen


class _NotARuleError(Exception):
    """A part of a rule that has no meaning."""


def _value(node: ast.expr, judged: Judged) -> AnyArray:
    match node:
        case ast.Constant(value=number) if type(number) in (int, float):
            return np.asarray(number)
        case ast.Call(
            func=ast.Name(id="R" | "RB" as name), args=[ast.Constant(value=k)], keywords=[]
        ) if type(k) is int:
            return _counts(judged, name, k)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATIONS:
            return _OPERATIONS[type(op)](_number(left, judged), _number(right, judged))
        case ast.BoolOp(op=op, values=parts):
            join = np.logical_and if isinstance(op, ast.And) else np.logical_or
            return join.reduce(np.broadcast_arrays(*[_answer(part, judged) for part in parts]))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return np.logical_not(_answer(operand, judged))
        case ast.Compare(left=left, ops=ops, comparators=others):
            return _chain([_number(side, judged) for side in (left, *others)], ops)
    raise _NotARuleError


def _number(node: ast.expr, judged: Judged) -> AnyArray:
    value = _value(node, judged)
    if value.dtype == np.bool_:
        raise _NotARuleError
    return value


def _answer(node: ast.expr, judged: Judged) -> AnyArray:
    value = _value(node, judged)
    if value.dtype != np.bool_:
        raise _NotARuleError
    return value


def _chain(sides: list[AnyArray], ops: list[ast.cmpop]) -> AnyArray:
    result: AnyArray = np.asarray(True)
    for left, op, right in zip(sides, ops, sides[1:], strict=False):
        if type(op) not in _OPERATIONS:
            raise _NotARuleError
        result = result & _OPERATIONS[type(op)](left, right)
    return result


def _counts(judged: Judged, name: str, grade: int) -> AnyArray:
    if grade not in judged.scale:
        known = ", ".join(map(str, judged.scale))
        if grade <= 0:
            raise OptionError(f"{name}({grade}): rules count positive grades, which are {known}")
        raise OptionError(f"{name}({grade}): no document has grade {grade}; the grades are {known}")
    level = judged.first_level(grade)
    return judged.counts[:, level] if name == "R" else judged.relevant(grade)
