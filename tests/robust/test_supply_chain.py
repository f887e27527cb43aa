"""No pickle, no shell, no network in the source; audits that find nothing to audit fail."""

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted((ROOT / "src").rglob("*.py"))
FORBIDDEN = {"pickle", "cPickle", "dill", "cloudpickle", "joblib", "marshal", "shelve"}
CLUSTER = "dask_lightgbm.py"  # whose workers open ports to each other
NETWORK = {"socket", "http", "urllib", "requests", "httpx", "aiohttp", "ftplib", "smtplib"}


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT / "src")))
def test_no_pickle_no_shell_no_network(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""] if node.module != "urllib.parse" else []
        forbidden = FORBIDDEN | NETWORK - ({"socket"} if path.name == CLUSTER else set())
        assert not {name.partition(".")[0] for name in names} & forbidden
        if isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else ""
            called = node.func.id if isinstance(node.func, ast.Name) else called
            assert called not in {"system", "popen", "eval", "exec"}, ast.unparse(node)
            for keyword in node.keywords:
                told = keyword.value.value if isinstance(keyword.value, ast.Constant) else None
                assert not (keyword.arg in {"shell", "allow_pickle"} and told is True)


@pytest.mark.slow
def test_an_audit_of_nothing_fails(tmp_path: Path) -> None:
    environment = {**os.environ, "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, ROOT / ".ci" / "audit"], env=environment, capture_output=True, check=False
    )
    assert done.returncode == 2
