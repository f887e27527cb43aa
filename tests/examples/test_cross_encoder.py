"""The example of a cross-encoder learns, and says so, in a small form."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("torch", reason="torch is not installed")

PROGRAM = Path(__file__).parents[2] / "examples" / "cross_encoder.py"


@pytest.mark.slow
@pytest.mark.parametrize("loss", ["soft", "lambda"])
def test_a_small_cross_encoder_learns(loss: str) -> None:
    small = ["--queries", "40", "--epochs", "8", "--loss", loss]
    done = subprocess.run(
        [sys.executable, PROGRAM, *small],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "OMP_NUM_THREADS": "1"},  # beside other tests
    )
    assert done.returncode == 0, done.stderr
    before, after = map(float, re.findall(r"^cross-encoder +(\S+)", done.stdout, re.MULTILINE))
    assert after > before + 0.05


def test_the_page_shows_the_program() -> None:
    page = PROGRAM.parents[1] / "docs" / "guides" / "engineers" / "cross-encoder.md"
    shown = "\n--8<--\nexamples/cross_encoder.py\n--8<--\n"  # formatters read other forms as code
    assert shown in page.read_text(encoding="utf-8")
