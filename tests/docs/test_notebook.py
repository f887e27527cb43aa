"""The notebook of the tour runs, in a plain namespace as for the site and in Jupyter itself."""

import importlib
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PATHS = sorted((ROOT / "docs").rglob("*.ipynb"))


@pytest.fixture(scope="module")
def hook() -> ModuleType:
    pytest.importorskip("mkdocs", reason="mkdocs is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT / "docs" / "hooks"))
        return importlib.import_module("notebook")


def read(path: Path) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return content


def results(notebook: dict[str, Any]) -> list[str]:
    """The values of cells as HTML, or as plain text if they have no HTML."""
    found = []
    for cell in notebook["cells"]:
        for output in cell.get("outputs", []):
            if output["output_type"] == "execute_result":
                data = output["data"]
                found.append("".join(data.get("text/html", data["text/plain"])))
    return found


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_outputs_are_made_when_the_site_is(path: Path) -> None:
    cells = [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]
    assert cells
    assert all(cell["outputs"] == [] and cell["execution_count"] is None for cell in cells)


def test_every_cell_shows_something_and_fetches_nothing(hook: ModuleType) -> None:
    executed = hook.execute(read(ROOT / "docs" / "start" / "notebook.ipynb"))
    shown = results(executed)
    code = [cell for cell in executed["cells"] if cell["cell_type"] == "code"]
    assert len(shown) == len(code)
    assert "95% t intervals" in shown[1]
    assert all(f"run{number}" in shown[1] for number in range(1, 7))
    assert "<svg" in shown[3]
    assert shown[-1].startswith("<iframe srcdoc=")
    assert re.findall(r'(?:src|href)="(?:https?:)?//[^"]*"', "".join(shown)) == []


def test_the_page_has_places_for_all_outputs(hook: ModuleType) -> None:
    executed = hook.execute(read(ROOT / "docs" / "start" / "notebook.ipynb"))
    page, outputs = hook.as_page(executed, "notebook.ipynb")
    assert page.count('<div class="output"') == len(outputs)
    assert "[Download the notebook](notebook.ipynb)" in page
    assert any(output.startswith("<pre>") for output in outputs)  # what is printed


def test_errors_in_a_cell_are_not_hidden(hook: ModuleType) -> None:
    with pytest.raises(ZeroDivisionError):
        hook.run_cell("1 / 0", {}, 1)
    assert hook.run_cell("x = 1", {}, 1) == []
    (printed, value) = hook.run_cell("print('a')\n2 + 2", {}, 1)
    assert (printed["text"], value["data"]) == (["a\n"], {"text/plain": ["4"]})


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name)
def test_jupyter_shows_the_same(hook: ModuleType, path: Path, tmp_path: Path) -> None:
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    nbclient = pytest.importorskip("nbclient", reason="nbclient is not installed")
    nbformat = pytest.importorskip("nbformat", reason="nbformat is not installed")
    notebook = nbformat.read(path, as_version=4)
    options = {"timeout": 600, "resources": {"metadata": {"path": str(tmp_path)}}}
    nbclient.NotebookClient(notebook, **options).execute()
    executed = hook.execute(read(path))
    nbformat.validate(nbformat.reads(json.dumps(executed), as_version=4))
    assert results(notebook) == results(executed)
