"""An MkDocs hook: a page for each measure of the registry, and an index of them by family.

The pages are made in memory when the site is built. Nothing generated lies in the repository.
"""

import re

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from notation import typeset_prose

from gradewise.measures.catalogue import FAMILIES, group_measures, summary, usage
from gradewise.measures.measure import Measure
from gradewise.measures.registry import all_measures

INDEX = "measures/index.md"

_SECTION = re.compile(r"^(?P<title>[A-Z]\w+)\n-{3,}\n", re.MULTILINE)
_PARAMETER = re.compile(
    r"^(?P<name>\w+) \(default (?P<default>.+)\)\n(?P<meaning>(?: {4}.+\n?)+)", re.MULTILINE
)
_CODE = re.compile(r"(`[^`\n]+`)")
_SPECIAL = re.compile(r"([\\*_\[\]>#])")


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Put the pages of the measures below their index in the navigation."""
    for entry in config.nav or []:
        for pages in entry.values():
            if isinstance(pages, list) and INDEX in pages:
                pages += _navigation()
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the measures and their index."""
    files.append(File.generated(config, INDEX, content=index_page()))
    for measure in all_measures():
        files.append(File.generated(config, page_path(measure), content=measure_page(measure)))
    return files


def page_path(measure: type[Measure]) -> str:
    """Return the path of a measure's page."""
    return f"measures/{measure.name}.md"


def index_page() -> str:
    """Return the index of all measures by what they answer, as Markdown."""
    parts = [
        "# Measures",
        "Every measure is written as `Name(parameter=value)@cutoff`. In the tables, `@k` means "
        "that a cutoff is required and `[@k]` that it is optional; `@x` is a recall level. "
        "`gradewise measures` prints this list, and `gradewise measures GAP` prints one page. "
        "[Two families](families.md) explains how the measures are related, and "
        "[Official names](official-names.md) lists what tracks and benchmarks report.",
    ]
    for question, members in group_measures().items():
        parts += [f"## {question}", _table(members)]
    return "\n\n".join(parts) + "\n"


def measure_page(measure: type[Measure]) -> str:
    """Return what a measure's docstring says, as Markdown."""
    lead, sections = split_sections(measure.__doc__ or "")
    facts = [f"- Usage: `{usage(measure)}`"]
    if measure.aliases:
        facts.append("- Also called: " + ", ".join(f"`{alias}`" for alias in measure.aliases))
    family = FAMILIES[measure.family].partition(":")[0].lower()
    facts.append(f"- Family: [{family}](families.md)")
    parts = [f"# {measure.name}", escape(lead), "\n".join(facts)]
    for title, text in sections:
        parts += [f"## {title}", _section(title, text)]
    return "\n\n".join(parts) + "\n"


def split_sections(doc: str) -> tuple[str, list[tuple[str, str]]]:
    """Split a docstring at its underlined titles: the lead, and the title and text of each."""
    pieces = _SECTION.split(doc)
    titles, texts = pieces[1::2], pieces[2::2]
    sections = [(title, text.strip("\n")) for title, text in zip(titles, texts, strict=True)]
    return pieces[0].strip(), sections


def escape(text: str) -> str:
    """Escape what Markdown would take for markup, except code between backticks."""
    parts = _CODE.split(text)
    parts[::2] = [_SPECIAL.sub(r"\\\1", part).replace("<", "&lt;") for part in parts[::2]]
    return "".join(parts)


def _section(title: str, text: str) -> str:
    if title == "Parameters":
        return _parameters(text)
    if title == "Examples":
        return _examples(text)
    if title == "Definition":
        return typeset_prose(text, escape)
    return escape(text)


def _parameters(text: str) -> str:
    """Make a list of the parameters, followed by what is said of the cutoff."""
    items = [
        f"- `{found['name']}` (default `{found['default']}`): "
        + escape(" ".join(found["meaning"].split()))
        for found in _PARAMETER.finditer(text)
    ]
    rest = _PARAMETER.sub("", text).strip()
    return "\n\n".join(part for part in ("\n".join(items), escape(rest)) if part)


def _examples(text: str) -> str:
    """Fence paragraphs that are examples; escape the others."""
    parts = []
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        is_code = paragraph.startswith(">>>")
        parts.append(f"```pycon\n{paragraph}\n```" if is_code else escape(paragraph))
    return "\n\n".join(parts)


def _table(members: list[type[Measure]]) -> str:
    rows = [
        f"| [`{usage(measure)}`]({measure.name}.md) | {escape(summary(measure))} |"
        for measure in members
    ]
    return "\n".join(["| Measure | What it is |", "|---|---|", *rows])


def _navigation() -> list[dict[str, list[dict[str, str]]]]:
    return [
        {question: [{measure.name: page_path(measure)} for measure in members]}
        for question, members in group_measures().items()
    ]
