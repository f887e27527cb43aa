"""Definitions in plain text become formulas without losing a symbol."""

import importlib
import re
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import pytest

from gradewise.measures.measure import Measure
from gradewise.measures.registry import all_measures

HOOKS = Path(__file__).parents[2] / "docs" / "hooks"
FORMULA = re.compile(r"\$\$([^$]+)\$\$|\$([^$]+)\$")
PLAIN = re.compile(r"[ΣΠ^·αβγ²<>≤≥#{}]|(?<![A-Za-z])[A-Za-z]_\w|(?<!\\)_")


def load(name: str) -> ModuleType:
    for library in ("mkdocs", "latex2mathml"):
        pytest.importorskip(library, reason=f"{library} is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(HOOKS))
        return importlib.import_module(name)


def definition(measure: type[Measure]) -> str:
    _, sections = load("measure_pages").split_sections(measure.__doc__ or "")
    return dict(sections)["Definition"]


def symbols(text: str) -> str:
    """Return the letters, digits and operators of a text in order."""
    same = {
        "∑": "Σ",
        "∏": "Π",
        "≤": "<=",
        "≥": ">=",
        "⋅": "·",
        "²": "2",
        "…": "...",
        "\u2032": "'",
        "\u2212": "-",
    }
    for one, other in same.items():
        text = text.replace(one, other)
    return re.sub(r"[^\w=<>+\-·#@'|.,:ΣΠαβγ]", "", text.replace("_", ""))


@pytest.mark.parametrize("measure", list(all_measures()), ids=lambda measure: measure.name)
def test_every_definition_is_typeset(measure: type[Measure]) -> None:
    text = definition(measure)
    page = load("notation").typeset_prose(text, lambda prose: prose)
    outside = FORMULA.sub("", re.sub(r"`[^`]*`|\{1: 0.5, 2: 1.0\}|trec_eval|set_F", "", page))
    assert not PLAIN.search(outside), outside


@pytest.mark.parametrize("measure", list(all_measures()), ids=lambda measure: measure.name)
def test_no_symbol_is_lost(measure: type[Measure]) -> None:
    typeset = load("formulas").typeset

    def text_of(found: re.Match[str]) -> str:
        formula = typeset(found[1] or found[2], found[1] is not None)
        assert "\\" not in formula
        return "".join(ElementTree.fromstring(formula).itertext())

    text = definition(measure)
    page = load("notation").typeset_prose(text, lambda prose: prose)
    plain = re.sub(r"Σ over ([^()]+?) of (?=[\w(])", r"Σ\1", " ".join(text.split()))
    assert symbols(FORMULA.sub(text_of, page)) == symbols(plain)


@pytest.mark.parametrize(
    ("plain", "latex"),
    [
        ("a/b", r"\frac{a}{b}"),
        ("(1/n) x", r"\frac{1}{n} x"),
        ("a b / c", r"\frac{a b}{c}"),
        ("a + b / c", r"a + \frac{b}{c}"),
        # The denominator uses the index k, so that the sum stays in front of the fraction.
        ("Σ_k g_k / R(k)", r"\sum _{k} \frac{g_{k}}{R(k)}"),
        # Here it has an index of its own.
        ("Σ_k g_k / Σ_k h_k", r"\frac{\displaystyle \sum\limits _{k} g_{k}}"
         r"{\displaystyle \sum\limits _{k} h_{k}}"),
        ("p^(n-1)", "p^{n - 1}"),
        ("h(r) = [r >= rel]", r"h(r) = [r \ge  \text{rel}]"),
    ],
)  # fmt: skip
def test_plain_notation(plain: str, latex: str) -> None:
    assert load("notation").to_latex(plain) == latex


def test_prose_is_left_alone() -> None:
    text = "A user, a grade (see below) and the Q-measure of trec_eval's set_F; 1 of 2."
    assert load("notation").typeset_prose(text, lambda prose: prose) == text
