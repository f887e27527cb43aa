"""Spark Connect: the same calls on a session that talks to a server."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
def test_a_connect_session_does_the_same() -> None:
    pytest.importorskip("pyspark", reason="pyspark is not installed")
    pytest.importorskip("grpc", reason="grpcio is not installed")
    if shutil.which("java") is None:
        pytest.skip("there is no Java")
    script = Path(__file__).with_name("connect_session.py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert "passed" in done.stdout, done.stderr[-4000:]
