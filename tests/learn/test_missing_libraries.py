"""Without the libraries of the extra, one sentence says how to get them."""

import subprocess
import sys

import pytest


@pytest.mark.parametrize(
    ("library", "code"),
    [
        ("torch", "from gradewise.learn.losses import soft_pivot"),
        ("torch", "import gradewise as gw; gw.learn.losses"),
        ("numba", "from gradewise.learn.losses import soft_pivot"),
    ],
)
def test_a_missing_library_is_named(library: str, code: str) -> None:
    program = f"import sys; sys.modules[{library!r}] = None\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    last = done.stderr.strip().splitlines()[-1]
    assert f"needs the library {library}, which is not installed" in last
    assert "pip install 'gradewise[learn]'" in last


def test_importing_gradewise_imports_none_of_them() -> None:
    program = (
        "import sys, gradewise, gradewise.cli.app, gradewise.learn\n"
        "print(sorted({'torch', 'numba', 'safetensors'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
