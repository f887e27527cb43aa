"""An MkDocs hook: notebooks are run when the site is built, and become pages with their outputs.

A notebook in the repository has no outputs, so that none can be out of date. The site has a page
with them, and the notebook itself with its outputs, to download. Cells are run one after the other
in a namespace of their own; the value of the last line of a cell is shown as a notebook shows it.
"""

import ast
import contextlib
import io
import json
from html import escape
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

Notebook = dict[str, Any]
_PLACE = '<div class="output" data-number="{}"></div>'
_outputs: dict[str, list[str]] = {}  # by page, in the order of their places


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Replace each notebook by one with outputs, and add a page of it."""
    for path in sorted(Path(config.docs_dir).rglob("*.ipynb")):
        place = path.relative_to(config.docs_dir).as_posix()
        executed = execute(json.loads(path.read_text(encoding="utf-8")))
        plain = files.get_file_from_path(place)
        if plain is not None:
            files.remove(plain)
        text = json.dumps(executed, indent=1, ensure_ascii=False) + "\n"
        page = place.removesuffix(".ipynb") + ".md"
        content, _outputs[page] = as_page(executed, path.name)
        files.append(File.generated(config, place, content=text))
        files.append(File.generated(config, page, content=content))
    return files


def on_page_content(html: str, page: Page, **_: Any) -> str:
    """Put outputs in their places, as they are: Markdown would change what a report checks."""
    for number, output in enumerate(_outputs.get(page.file.src_uri, [])):
        html = html.replace(_PLACE.format(number), f'<div class="output">{output}</div>')
    return html


def execute(notebook: Notebook) -> Notebook:
    """Return the notebook with the outputs of its cells."""
    names: dict[str, Any] = {"__name__": "__main__"}
    cells, count = [], 0
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            count += 1
            outputs = run_cell("".join(cell["source"]), names, count)
            cell = {**cell, "execution_count": count, "outputs": outputs}
        cells.append(cell)
    return {**notebook, "cells": cells}


def run_cell(source: str, names: dict[str, Any], count: int) -> list[dict[str, Any]]:
    """Run a cell; return what it prints and the value of its last line."""
    body, last = ast.parse(source).body, None
    if body and isinstance(body[-1], ast.Expr):
        last = ast.Expression(body.pop().value)
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(ast.Module(body, []), f"cell {count}", "exec"), names)
        if last is not None:
            value = eval(compile(last, f"cell {count}", "eval"), names)
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        text = printed.getvalue().splitlines(keepends=True)
        outputs.append({"output_type": "stream", "name": "stdout", "text": text})
    if value is not None:
        outputs.append(
            {
                "output_type": "execute_result",
                "execution_count": count,
                "metadata": {},
                "data": shown(value),
            }
        )
    return outputs


def shown(value: Any) -> dict[str, list[str]]:
    """Return how a notebook shows a value, by kind of text."""
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return data


def as_page(notebook: Notebook, name: str) -> tuple[str, list[str]]:
    """Return a page with the cells and places for their outputs, and the outputs as HTML."""
    parts, outputs = [], []
    for cell in notebook["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(source)
            continue
        parts.append(f"```py\n{source}\n```")
        for output in cell["outputs"]:
            parts.append(_PLACE.format(len(outputs)))
            outputs.append(as_html(output))
    title, first, *rest = "\n\n".join(parts).split("\n\n")
    content = "\n\n".join([title, first, f"[Download the notebook]({name}).", *rest]) + "\n"
    return content, outputs


def as_html(output: dict[str, Any]) -> str:
    """Return an output as HTML."""
    if output["output_type"] == "stream":
        return f"<pre>{escape(''.join(output['text']))}</pre>"
    data = output["data"]
    plain = f"<pre>{escape(''.join(data['text/plain']))}</pre>"
    return "".join(data.get("text/html", [plain]))
