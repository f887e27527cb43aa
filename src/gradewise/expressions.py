"""Expressions and literals in Python's syntax that users give as text: parsed, never run."""

import ast
import warnings
from typing import Any

_WRONG = (SyntaxError, TypeError, ValueError, MemoryError, RecursionError)


def parse_expression(text: str) -> ast.expr:
    """Return the syntax tree of an expression; a ValueError if the text is none.

    Examples
    --------
    >>> type(parse_expression("R(1) > 2")).__name__
    'Compare'
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python warns of texts such as `1or 2`
        try:
            return ast.parse(text.strip(), mode="eval").body
        except _WRONG:
            raise ValueError("this is not an expression") from None


def read_literal(given: str | ast.expr) -> Any:
    """Return the value of a literal, from text or its syntax tree; a ValueError if it is none.

    Examples
    --------
    >>> read_literal("[0.5, 1]")
    [0.5, 1]
    """
    tree = parse_expression(given) if isinstance(given, str) else given
    try:
        return ast.literal_eval(tree)
    except _WRONG:
        raise ValueError("this is not a literal") from None
