"""What tests share: where real data lies, and a way to run commands."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

from command import Call, caller

settings.register_profile("gradewise", deadline=None)  # machines may be busy
settings.load_profile("gradewise")

_BESIDE = Path(__file__).parents[2] / "shared" / "data"


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder with real qrels and runs; tests that need it are skipped where it is absent."""
    folder = Path(os.environ.get("GRADEWISE_DATA", _BESIDE))
    if not folder.is_dir():
        pytest.skip(f"real data is not at {folder}; set GRADEWISE_DATA to its place")
    return folder


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Call:
    """A function that runs gradewise with arguments, in this process."""
    return caller(monkeypatch)
