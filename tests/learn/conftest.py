"""Training is tested in one thread: results are the same, and cores are shared."""

import pytest


@pytest.fixture(autouse=True, scope="session")
def one_thread() -> None:
    try:
        import torch
    except ImportError:
        return
    torch.set_num_threads(1)
