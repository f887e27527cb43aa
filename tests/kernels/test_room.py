"""The room of kernels: what it may know, which the import linter cannot see in compiled modules."""

import re
from pathlib import Path

import pytest

ROOM = Path(__file__).parents[2] / "src" / "gradewise" / "kernels"
SOURCES = sorted([*ROOM.glob("*.pyx"), *ROOM.glob("*.pxd")])


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_kernels_know_numpy_and_each_other(path: Path) -> None:
    text = re.sub(r'""".*?"""', "", path.read_text(), flags=re.DOTALL)
    lines = re.findall(r"^ *(?:from|import|cimport) +([\w.]+)", text, re.MULTILINE)
    strangers = [
        name
        for name in lines
        if not name.startswith("gradewise.kernels.")
        and name.partition(".")[0] not in ("libc", "cython", "numpy", "math", "os")
    ]
    assert strangers == []


@pytest.mark.parametrize("path", sorted(ROOM.glob("*.pyx")), ids=lambda path: path.name)
def test_every_kernel_has_types_and_says_what_it_does(path: Path) -> None:
    assert path.with_suffix(".pyi").exists()
    assert path.read_text().startswith('"""')


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.name)
def test_kernels_call_nothing_that_only_some_systems_have(path: Path) -> None:
    assert "posix" not in path.read_text().lower()
