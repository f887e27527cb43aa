"""Formulas in plain text, as docstrings have them, as LaTeX.

`GAP = Σ_n (1/n) Σ_{m <= n} G(min(r_n, r_m)) / Σ_k R(k) G(k)` reads well on a terminal; a page shows
it typeset. Three rules give the plain notation its meaning:

- `a/b` without spaces divides what touches the slash.
- `a / b` with spaces divides the whole product on its left, back to a sum whose index b uses.
- Words beside an operator, and all that a formula's brackets enclose, belong to the formula.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""(?P<space>\s+)
    |(?P<code>`[^`]+`)
    |(?P<log>log(?:2|_b)?(?![A-Za-z]))
    |(?P<word>(?:[A-Za-z]{2,}|[A-Z](?=-[a-z]{2}))(?:_\w+(?:\.\d+)?|-[a-z]{2,}|'s)*|a(?=\s[a-z]{2}))
    |(?P<letter>[A-Za-zαβγ])
    |(?P<number>\d*\.\d+|\d+)
    |(?P<operator><=|>=|[=<>/·+\-^_²@#ΣΠ|…]|(?<=_[A-Za-z])')
    |(?P<open>[(\[{])|(?P<close>[)\]}])
    |(?P<other>.)""",
    re.VERBOSE,
)
_SUM_OVER = re.compile(r"Σ\s+over\s+([^()]+?)\s+of\s+(?=[\w(])")
_SETTING = re.compile(r"(?<!`)\b\w+='[^']*'")
_CLAUSE = re.compile(r"[\w@]+ = [^,.;]* / (?:\([^)]*\)|[^,.;])*")
_ARTICLES = {"A", "I"}
_SEPARATORS = {"=", "+", "-", "<=", ">=", "<", ">", ",", ":"}
_AFTER_SYMBOLS = {"²", "|", "'"}
_LATEX = {
    "<=": r"\le ", ">=": r"\ge ", "·": r"\cdot ", "Σ": r"\sum ", "Π": r"\prod ", "#": r"\#",
    "α": r"\alpha ", "β": r"\beta ", "γ": r"\gamma ", "…": r"\dots ", "²": "^{2}", "{": r"\{",
    "}": r"\}",
}  # fmt: skip


@dataclass(frozen=True)
class Token:
    """A piece of text, and what kind it is."""

    kind: str
    text: str


def typeset_prose(text: str, escape: Callable[[str], str]) -> str:
    """Put the formulas of a text between dollar signs, and escape what lies between them."""
    return "\n\n".join(
        _paragraph(" ".join(paragraph.split()), escape) for paragraph in text.split("\n\n")
    )


def to_latex(formula: str) -> str:
    """Return a formula in plain notation as LaTeX."""
    return _Parser(list(_tokens(formula))).sequence()


def find_formulas(text: str) -> Iterator[tuple[bool, str]]:
    """Split a text into formulas (True) and what lies between them (False)."""
    tokens = list(_tokens(text))
    marks = _mark(tokens)
    clause = _CLAUSE.match(text)
    if clause:
        length = len(list(_tokens(clause[0])))
        marks[:length] = [True] * length
    start = 0
    while start < len(tokens):
        end = start
        while end < len(tokens) and marks[end] == marks[start]:
            end += 1
        yield marks[start], "".join(token.text for token in tokens[start:end])
        start = end


def _paragraph(text: str, escape: Callable[[str], str]) -> str:
    """Typeset a paragraph; a formula that opens it and ends a clause is displayed."""
    text = _SUM_OVER.sub(lambda found: f"Σ_{{{found[1]}}} ", text)
    text = _SETTING.sub(lambda found: f"`{found[0]}`", text)
    pieces = list(find_formulas(text))
    parts = [f"${to_latex(piece)}$" if math else escape(piece) for math, piece in pieces]
    opens = pieces[0][0] and "=" in pieces[0][1]
    if opens and (len(pieces) == 1 or pieces[1][1][0] in ",.;"):
        mark, rest = ("", "") if len(pieces) == 1 else (pieces[1][1][0], "".join(parts[1:])[1:])
        return f"$${parts[0].strip('$')}{mark}$$\n\n{rest.strip()}".strip()
    return "".join(parts)


def _tokens(text: str) -> Iterator[Token]:
    for found in _TOKEN.finditer(text):
        yield Token(found.lastgroup or "other", found[0])


def _mark(tokens: list[Token]) -> list[bool]:
    """Say of each token whether it belongs to a formula."""
    marks = [_is_symbol(tokens, index) for index in range(len(tokens))]
    for index in range(len(tokens)):
        if tokens[index].kind == "open" and not marks[index]:
            end = _closing(tokens, index)
            before = _beside(tokens, index, -1)
            attached = (index > 0 and marks[index - 1]) or (
                before is not None and tokens[before].text == "="
            )
            after = end + 1 < len(tokens) and tokens[end + 1].text in ("²", "^", "_")
            inside = any(_is_operator(tokens, inner) for inner in range(index, end))
            if attached or after or inside:
                marks[index : end + 1] = [True] * (end + 1 - index)
    for index in range(1, len(tokens) - 1):
        if tokens[index].kind == "space":
            marks[index] = marks[index - 1] and marks[index + 1]
    return marks


def _is_operator(tokens: list[Token], index: int) -> bool:
    """Tell an operator from a hyphen or a slash between the words of a sentence."""
    if tokens[index].text == "/":
        beside = [_beside(tokens, index, -1), _beside(tokens, index, 1)]
        return not all(at is not None and tokens[at].kind == "word" for at in beside)
    return tokens[index].kind == "operator"


def _is_symbol(tokens: list[Token], index: int) -> bool:
    """Tell whether a token is mathematics by itself or by what is next to it."""
    token = tokens[index]
    before, after = _beside(tokens, index, -1), _beside(tokens, index, 1)
    beside_operator = (
        before is not None
        and _is_operator(tokens, before)
        and tokens[before].text not in _AFTER_SYMBOLS
    ) or (after is not None and _is_operator(tokens, after))
    called = index + 1 < len(tokens) and tokens[index + 1].text == "("
    if token.kind == "operator":
        return _is_operator(tokens, index)
    if token.kind in ("letter", "log"):
        return token.text not in _ARTICLES or beside_operator or called
    if token.kind == "word":
        names_it = index == 0  # what the formula defines
        return ("_" not in token.text or names_it) and (beside_operator or called)
    return token.kind == "number" and beside_operator


def _beside(tokens: list[Token], index: int, step: int) -> int | None:
    """Return where the next token on one side is that is not a space."""
    index += step
    while 0 <= index < len(tokens) and tokens[index].kind == "space":
        index += step
    return index if 0 <= index < len(tokens) else None


def _closing(tokens: list[Token], start: int) -> int:
    """Return where the bracket that opens at `start` closes."""
    depth = 0
    for index in range(start, len(tokens)):
        depth += {"open": 1, "close": -1}.get(tokens[index].kind, 0)
        if depth == 0:
            return index
    return len(tokens) - 1


class _Parser:
    """Reads the tokens of a formula and writes LaTeX."""

    def __init__(self, tokens: list[Token]) -> None:
        self.tokens = tokens

    def sequence(self) -> str:
        """Write terms and what separates them."""
        written, start = [], 0
        for index, token in self._outer():
            if token.text in _SEPARATORS:
                written += [self._part(start, index).term(), _LATEX.get(token.text, token.text)]
                start = index + 1
        return " ".join([*written, self._part(start, len(self.tokens)).term()]).strip()

    def term(self) -> str:
        """Write a product, or a fraction where there is a slash between spaces."""
        for index, token in self._outer():
            spaced = index > 0 and self.tokens[index - 1].kind == "space"
            if token.text == "/" and spaced:
                below = self._part(index + 1, len(self.tokens))
                start = self._bound_by_sum(index, below)
                above = self._part(start, index)
                return _join([self._part(0, start).factors(), _fraction(above, below)])
        return self.factors()

    def operand(self) -> str:
        """Write what stands above or below a bar, without brackets around the whole."""
        tokens = self._stripped()
        if tokens and tokens[0].text == "(" and _closing(tokens, 0) == len(tokens) - 1:
            return _Parser(tokens[1:-1]).sequence()
        return _Parser(tokens).term()

    def factors(self) -> str:
        """Write factors one after the other, fractions of neighbors among them."""
        written: list[str] = []
        index = 0
        while index < len(self.tokens):
            end = self._factor_end(index)
            if end < len(self.tokens) and self.tokens[end].text == "/":
                is_sum = self.tokens[end + 1].text in ("Σ", "Π")
                stop = len(self.tokens) if is_sum else self._factor_end(end + 1)
                above, below = self._part(index, end), self._part(end + 1, stop)
                written.append(_fraction(above, below))
                end = stop
            else:
                written.append(self._part(index, end).factor())
            index = end
        return _join(written)

    def factor(self) -> str:
        """Write a symbol with its subscript, superscript and arguments, or a bracket."""
        first, rest = self.tokens[0], self.tokens[1:]
        if first.kind == "space":
            return ""
        if first.kind == "open":
            end = _closing(self.tokens, 0)
            inner = self._part(1, end)
            if first.text == "(" and inner.is_fraction() and end + 1 == len(self.tokens):
                return inner.term()
            brackets = [_LATEX.get(self.tokens[at].text, self.tokens[at].text) for at in (0, end)]
            return brackets[0] + inner.sequence() + brackets[1] + _scripts(self.tokens[end + 1 :])
        return _symbol(first) + _scripts(rest)

    def is_fraction(self) -> bool:
        """Tell whether this is one fraction, which needs no brackets."""
        outer = [token for _, token in self._outer()]
        slashes = sum(token.text == "/" for token in outer)
        spaces = sum(token.kind == "space" for token in outer)
        summed = any(token.text in _SEPARATORS for token in outer)
        over_sum = "/Σ" in "".join(token.text for token in outer)
        return slashes == 1 and (spaces in (0, 2) or over_sum) and not summed

    def _bound_by_sum(self, end: int, below: "_Parser") -> int:
        """Return where a numerator starts: after the last sum whose index is used below the bar."""
        used = _free_letters(below.tokens)
        start = 0
        for index, token in self._outer():
            if index < end and token.text in ("Σ", "Π"):
                stop = self._factor_end(index)
                subscript = self._part(index + 1, stop).tokens
                if _indices(subscript) & used:
                    start = stop
        return start

    def _factor_end(self, start: int) -> int:
        """Return where a symbol with its scripts and arguments, or a bracket, ends."""
        tokens = self.tokens
        if start < len(tokens) and tokens[start].text == "#":
            return _closing(tokens, start + 1) + 1
        end = _closing(tokens, start) + 1 if tokens[start].kind == "open" else start + 1
        while end < len(tokens):
            if tokens[end].text in ("_", "^", "@"):
                end = _closing(tokens, end + 1) + 1 if tokens[end + 1].kind == "open" else end + 2
            elif tokens[end].text in ("²", "'"):
                end += 1
            elif tokens[end].text == "(" and tokens[start].kind in ("letter", "word", "log"):
                end = _closing(tokens, end) + 1
            else:
                break
        return end

    def _outer(self) -> Iterator[tuple[int, Token]]:
        """Give the tokens outside brackets."""
        index = 0
        while index < len(self.tokens):
            if self.tokens[index].kind == "open":
                index = _closing(self.tokens, index) + 1
            else:
                yield index, self.tokens[index]
                index += 1

    def _part(self, start: int, end: int) -> "_Parser":
        return _Parser(self.tokens[start:end])

    def _stripped(self) -> list[Token]:
        kept = [index for index, token in enumerate(self.tokens) if token.kind != "space"]
        return self.tokens[kept[0] : kept[-1] + 1] if kept else []


def _fraction(above: _Parser, below: _Parser) -> str:
    """Write a fraction; sums in it keep their indices below the sign."""
    parts = [part.operand().replace(r"\sum ", r"\sum\limits ") for part in (above, below)]
    style = r"\displaystyle " if any(r"\sum" in part for part in parts) else ""
    return "\\frac" + "".join(f"{{{style}{part}}}" for part in parts)


def _symbol(token: Token) -> str:
    if token.kind == "log":
        return r"\log" + {"log2": "_{2}", "log_b": "_{b}"}.get(token.text, "")
    if token.kind == "word":
        return f"\\text{{{token.text}}}"
    return _LATEX.get(token.text, token.text)


def _scripts(tokens: list[Token]) -> str:
    """Write what is attached to a symbol: subscript, superscript, cutoff, arguments."""
    written, index = "", 0
    while index < len(tokens):
        mark = tokens[index]
        if mark.text in ("_", "^", "@") and index + 1 < len(tokens):
            is_group = tokens[index + 1].kind == "open"
            end = _closing(tokens, index + 1) if is_group else index + 1
            inner = tokens[index + 2 : end] if is_group else tokens[index + 1 : end + 1]
            latex = _Parser(inner).sequence()
            written += f"@{latex}" if mark.text == "@" else f"{mark.text}{{{latex}}}"
            index = end + 1
        elif mark.kind == "open":
            end = _closing(tokens, index)
            opening, closing = (_LATEX.get(tokens[at].text, tokens[at].text) for at in (index, end))
            written += opening + _Parser(tokens[index + 1 : end]).sequence() + closing
            index = end + 1
        else:
            written += _LATEX.get(mark.text, mark.text)
            index += 1
    return written


def _indices(subscript: list[Token]) -> set[str]:
    """Return the letters that a sum's subscript introduces: the first of it, or those in words."""
    letters = [token.text for token in subscript if token.kind == "letter"]
    in_words = any(token.kind == "word" and token.text != "rel" for token in subscript)
    return set(letters if in_words else letters[:1])


def _free_letters(tokens: list[Token]) -> set[str]:
    """Return the letters of an expression that its own sums do not introduce."""
    parser, bound = _Parser(tokens), set()
    for index, token in enumerate(tokens):
        if token.text in ("Σ", "Π"):
            bound |= _indices(tokens[index + 1 : parser._factor_end(index)])
    return {token.text for token in tokens if token.kind == "letter"} - bound


def _join(written: list[str]) -> str:
    """Join factors, with a space on both sides of words."""
    text = ""
    for factor in filter(None, written):
        words = "\\text" in (factor[:5], text.rpartition(" ")[2][:5])
        text += (r"\ " if words else " ") * bool(text) + factor
    return text
