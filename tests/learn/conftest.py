"""Training is tested in one thread: results are the same, and cores are shared."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    pytest.importorskip("numba", reason="numba is not installed")
    pytest.importorskip("torch", reason="torch is not installed").set_num_threads(1)
