"""The net and its optimizers, against torch."""

from typing import Any

import numpy as np
import pytest

from gradewise.learn.nets.network import backward, forward, initial_weights
from gradewise.learn.nets.optimizers import Adam, Sgd

torch = pytest.importorskip("torch", reason="torch is not installed")


@pytest.mark.parametrize("hidden", [0, 5])
def test_gradients_of_the_net_match_autograd(hidden: int) -> None:
    rng = np.random.default_rng(3)
    weights = initial_weights(4, hidden, rng)
    x = rng.normal(size=(9, 4)).astype(np.float32)
    slope = rng.normal(size=9).astype(np.float32)
    inside, scores = forward(weights, x)
    found = backward(weights, x, inside, slope)
    tensors = {name: torch.tensor(array, requires_grad=True) for name, array in weights.items()}
    theirs = torch.tensor(x) @ tensors["weight0"].T
    if hidden:
        theirs = (theirs + tensors["bias0"]).tanh() @ tensors["weight1"].T
    theirs.squeeze(-1).backward(torch.tensor(slope))
    assert scores.tolist() == pytest.approx(theirs.squeeze(-1).tolist(), abs=1e-6)
    assert found.keys() == weights.keys()
    for name, array in found.items():
        assert array.shape == weights[name].shape
        assert array.ravel().tolist() == pytest.approx(
            tensors[name].grad.ravel().tolist(), rel=1e-4, abs=1e-5
        )


@pytest.mark.parametrize(("ours", "theirs"), [(Sgd, "SGD"), (Adam, "Adam")])
def test_steps_are_those_of_torch(ours: Any, theirs: str) -> None:
    rng = np.random.default_rng(4)
    weights = {"weight0": rng.normal(size=(3, 2)).astype(np.float32)}
    tensor = torch.tensor(weights["weight0"], requires_grad=True)
    mine, reference = ours(0.02), getattr(torch.optim, theirs)([tensor], lr=0.02)
    for _ in range(20):
        slope = rng.normal(size=(3, 2)).astype(np.float32)
        tensor.grad = torch.tensor(slope)
        mine.step(weights, {"weight0": slope})
        reference.step()
    assert weights["weight0"].ravel().tolist() == pytest.approx(tensor.ravel().tolist(), rel=1e-4)
