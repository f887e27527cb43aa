"""Kernels know NumPy arrays and each other; import-linter does not read Cython."""

import re
from pathlib import Path

import pytest

import gradewise

SOURCES = sorted((Path(gradewise.__file__).parent / "kernels").glob("*.p[yx]*"))
IMPORT = re.compile(r"^\s*(?:from|import|cimport)\s+(gradewise[\w.]*)", re.MULTILINE)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_a_kernel_imports_kernels_only(path: Path) -> None:
    named = IMPORT.findall(path.read_text(encoding="utf-8"))
    assert [each for each in named if not each.startswith("gradewise.kernels")] == []
