"""Without the libraries of the extra, one sentence says how to get them."""

import subprocess
import sys

import pytest


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "extra", "code"),
    [
        ("torch", "learn", "from gradewise.learn.losses import soft_pivot"),
        ("torch", "learn", "import gradewise as gw; gw.learn.losses"),
        (
            "safetensors",
            "learn",
            "from gradewise.learn.nets import storage; storage.write_arrays('net', 'net', {}, {})",
        ),
        ("lightgbm", "boost", "import gradewise as gw; gw.learn.TreeRanker().trained_for()"),
        (
            "xgboost",
            "boost",
            "import gradewise as gw; gw.learn.TreeRanker(booster='xgboost').trained_for()",
        ),
        ("dask[distributed]", "scale", "import gradewise as gw; gw.learn.DaskTreeRanker"),
    ],
)
def test_a_missing_library_is_named(library: str, extra: str, code: str) -> None:
    module = {"dask[distributed]": "dask"}.get(library, library)
    program = f"import sys; sys.modules[{module!r}] = None\n{code}"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    last = done.stderr.strip().splitlines()[-1]
    assert f"needs the library {library}, which is not installed" in last
    assert f"pip install 'gradewise[{extra}]'" in last


def test_importing_gradewise_imports_none_of_them() -> None:
    program = (
        "import sys, gradewise, gradewise.cli.app, gradewise.learn\n"
        "heavy = {'torch', 'safetensors', 'lightgbm', 'xgboost', 'sklearn', 'dask'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
