"""An MkDocs hook: formulas between dollar signs become MathML when the site is built.

`$...$` is a formula in a line, `$$...$$` a displayed one, both in LaTeX. Browsers draw MathML
themselves, so a page needs no script and no fonts from the network.
"""

import re
from xml.etree.ElementTree import Element

from latex2mathml.converter import convert
from markdown import Extension, Markdown
from markdown.inlinepatterns import InlineProcessor
from mkdocs.config.defaults import MkDocsConfig

_FORMULA = r"\$\$(?P<displayed>[^$]+)\$\$|\$(?P<inline>[^$\n]+)\$"
_AFTER_CODE_BEFORE_ESCAPES = 185


class Formula(InlineProcessor):
    """Turn a formula into MathML."""

    def handleMatch(  # type: ignore[override]  # noqa: N802
        self, m: re.Match[str], data: str
    ) -> tuple[Element | str, int, int]:
        """Return a placeholder for the formula, which Markdown then leaves alone."""
        return self.md.htmlStash.store(
            typeset(m["displayed"] or m["inline"], m["inline"] is None)
        ), *m.span()


class Formulas(Extension):
    """Adds formulas to Markdown."""

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        """Register the pattern."""
        md.inlinePatterns.register(Formula(_FORMULA, md), "formula", _AFTER_CODE_BEFORE_ESCAPES)


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add formulas to the site's Markdown."""
    config.markdown_extensions.append(Formulas())  # type: ignore[arg-type]
    return config


def typeset(latex: str, displayed: bool = False) -> str:
    """Return a formula as MathML."""
    return convert(latex.strip(), display="block" if displayed else "inline")
