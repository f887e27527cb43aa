"""Losses in plain torch: the kernels' values and gradients, on any device, compiled, in chunks."""

import itertools
import math
import shutil
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from oracles import soft

torch = pytest.importorskip("torch", reason="torch is not installed")

from torch.utils._python_dispatch import TorchDispatchMode  # noqa: E402

from gradewise.learn import losses, plain_torch  # noqa: E402
from gradewise.learn.plain_torch import lambda_loss, soft_loss, targets  # noqa: E402

PIVOTS = ["AP", "AP(rel=2)", "GAP(g=[0.3,0.7])", "eGAP(g=[0.3,0.7])", "xGAP(g=[0.3,0.7])", "GenAP"]
GAINS = ["nDCG", "nDCG@3", "AnDCG(dcg='log2')", "P@1", "P@3", "RBP(p=0.7)", "DCG@5", "Rprec"]
OTHERS = ["Q", "WAP", "AP@3", "RR", "RR(rel=2)@4", "ERR", "ERR@3", "nERR@3", "NCUguBR"]
SIZES = [13, 9, 1, 6, 0, 12]
EACH = {"reduction": "none"}


def batch(seed: int = 0, sizes: list[int] = SIZES) -> tuple[Any, Any]:
    """Lists of some sizes; one has no relevant document, and one holds nothing."""
    rng = np.random.default_rng(seed)
    shape = (len(sizes), max(sizes))
    scores = torch.tensor(rng.normal(size=shape))
    grades = torch.tensor(rng.integers(0, 3, shape))
    grades[torch.arange(shape[1]) >= torch.tensor(sizes)[:, None]] = -1
    grades[3:4, :6] = 0
    return scores, grades


def found(loss: Callable[[Any], Any], scores: Any) -> tuple[Any, Any]:
    """The losses of lists and their gradients, each list weighted by its number."""
    moving = scores.clone().requires_grad_()
    values = loss(moving)
    (values * torch.arange(1, len(values) + 1)).sum().backward()
    return values.detach(), moving.grad


def by_kernels(measure: str, grades: Any, kind: str, **options: Any) -> Callable[[Any], Any]:
    family = "soft_pivot" if measure in PIVOTS else "soft_gain"
    loss = getattr(losses, "lambda_loss" if kind == "lambda" else family)
    return lambda scores: loss(scores, grades, objective=measure, grades=2, **EACH, **options)


def plainly(measure: str, grades: Any, kind: str, **options: Any) -> Callable[[Any], Any]:
    loss = lambda_loss if kind == "lambda" else soft_loss
    prepared = targets(grades, objective=measure, grades=2)
    return lambda scores: loss(scores, prepared, **EACH, **options)


CASES = [
    *[("lambda", measure) for measure in [*PIVOTS, *GAINS, *OTHERS]],
    *[("soft", measure) for measure in [*PIVOTS, *GAINS]],
]


@pytest.mark.parametrize("chunk", [None, 1, 5])
@pytest.mark.parametrize(("kind", "measure"), CASES)
def test_values_and_gradients_are_those_of_the_kernels(
    kind: str, measure: str, chunk: int | None
) -> None:
    scores, grades = batch()
    expected = found(by_kernels(measure, grades, kind, sigma=0.6), scores)
    ours = found(plainly(measure, grades, kind, sigma=0.6, chunk=chunk), scores)
    assert float(expected[1].abs().max()) > 0
    for one, other in zip(ours, expected, strict=True):
        assert one.flatten().tolist() == pytest.approx(other.flatten().tolist(), abs=1e-12)


@pytest.mark.parametrize(("kind", "measure"), CASES)
def test_single_precision_is_close(kind: str, measure: str) -> None:
    scores, grades = batch(1)
    single = scores.float()  # what the kernels get, in double precision
    expected = found(by_kernels(measure, grades, kind), single.double())
    ours = found(plainly(measure, grades, kind), single)
    for one, other in zip(ours, expected, strict=True):
        largest = max(1.0, float(other.abs().max()))
        assert one.dtype == torch.float32
        assert float((one.double() - other).abs().max()) < 1e-6 * largest


@pytest.mark.parametrize("truncation", [1, 4, 50])
def test_truncation_is_that_of_the_kernels(truncation: int) -> None:
    scores, grades = batch(2)
    options = {"truncation": truncation, "sigma": 1.3}
    expected = found(by_kernels("GAP", grades, "lambda", **options), scores)
    ours = found(plainly("GAP", grades, "lambda", **options), scores)
    assert torch.allclose(ours[0], expected[0], atol=1e-12, rtol=0)
    assert torch.allclose(ours[1], expected[1], atol=1e-12, rtol=0)


@pytest.mark.parametrize("measure", ["nDCG", "nDCG@10", "P@64", "RBP(p=0.95)"])
def test_long_lists_have_exact_ranks(measure: str) -> None:
    scores, grades = batch(3, [150, 129, 128, 6])
    exact = {"exact_up_to": 150, "sigma": 0.4}
    expected = found(by_kernels(measure, grades, "soft", **exact), scores)
    ours = found(plainly(measure, grades, "soft", sigma=0.4), scores)
    assert torch.allclose(ours[0], expected[0], atol=1e-12, rtol=0)
    assert torch.allclose(ours[1], expected[1], atol=1e-11, rtol=0)


def test_lambdas_are_literal_swaps() -> None:
    scores, grades = batch(4, [9])
    relevant = {grade: int((grades == grade).sum()) for grade in (1, 2)}
    for measure in ("GAP(g=[0.3,0.7])", "nDCG@3", "ERR", "RR"):

        def value(ranking: list[int], measure: str = measure) -> float:
            return gw.score(measure, grades=ranking, relevant=relevant)

        loss, slope = soft.lambdas(scores[0].tolist(), grades[0].tolist(), value, 1.3)
        ours = found(plainly(measure, grades, "lambda", sigma=1.3), scores)
        assert ours[0].tolist() == pytest.approx([loss], abs=1e-12)
        assert ours[1][0].tolist() == pytest.approx(slope, abs=1e-12)


def test_soft_values_are_the_definitions() -> None:
    scores, grades = batch(5, [7])
    args = scores[0].tolist(), grades[0].tolist()
    ideal = sorted(grades[0].tolist(), reverse=True)
    dcg = sum(grade / math.log2(n + 2) for n, grade in enumerate(ideal[:3]))
    expected = {
        "GAP(g=[0.2,0.8])": soft.soft_gap(*args, [0.2, 0.8], 0.7),
        "nDCG@3": soft.soft_gain(*args, float, lambda n: (n <= 3) / math.log2(n + 1) / dcg, 0.7),
    }
    for measure, value in expected.items():
        ours = soft_loss(scores, targets(grades, objective=measure, grades=2), sigma=0.7)
        assert -ours.item() == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("reduction", ["mean", "sum"])
@pytest.mark.parametrize("loss", [lambda_loss, soft_loss])
def test_reductions(loss: Callable[..., Any], reduction: str) -> None:
    scores, grades = batch(6)
    prepared = targets(grades, objective="AP")
    each = loss(scores, prepared, reduction="none")
    useful = sum(len(set(row[row >= 0].tolist())) > 1 and row.max() > 0 for row in grades)
    expected = each.sum() / (useful if reduction == "mean" else 1)
    assert loss(scores, prepared, reduction=reduction).item() == pytest.approx(expected.item())
    empty = targets(torch.zeros(2, 3), objective="AP", grades=1)
    assert loss(scores[:2, :3], empty, reduction=reduction).item() == 0


@pytest.mark.parametrize("measure", ["GAP", "nDCG@3", "ERR", "RR"])
def test_what_stands_in_empty_places_does_not_matter(measure: str) -> None:
    scores, grades = batch(7)
    there = grades >= 0
    odd = torch.where(there, grades, 2)
    kinds = ["lambda", "soft"] if measure in ("GAP", "nDCG@3") else ["lambda"]
    for kind in kinds:
        expected = found(plainly(measure, grades, kind), scores)
        for filler in (math.inf, -math.inf, math.nan, 1e30):
            loss = lambda_loss if kind == "lambda" else soft_loss
            prepared = targets(odd, objective=measure, grades=2, mask=there)
            ours = found(
                lambda s, loss=loss, prepared=prepared: loss(s, prepared, **EACH),
                torch.where(there, scores, filler),
            )
            assert torch.equal(ours[0], expected[0])
            assert torch.equal(ours[1], expected[1])


def test_ties_are_ordered_at_random_by_torchs_seed() -> None:
    grades = torch.tensor([[0, 1, 2, 1]])
    prepared, scores = targets(grades, objective="GAP(g=[0.3,0.7])"), torch.zeros(1, 4).double()

    def loss(seed: int) -> float:
        torch.manual_seed(seed)
        return lambda_loss(scores, prepared).item()

    def of_order(order: tuple[int, ...]) -> float:
        """The loss if the documents were only just told apart."""
        apart = torch.zeros(1, 4).double()
        apart[0, list(order)] = -1e-13 * torch.arange(4).double()
        return losses.lambda_loss(apart, grades, objective="GAP(g=[0.3,0.7])").item()

    possible = np.array([of_order(order) for order in itertools.permutations(range(4))])
    drawn = [loss(seed) for seed in range(60)]
    assert drawn[0] == loss(0)
    assert len({round(value, 9) for value in drawn}) > 3
    assert all(np.abs(possible - value).min() < 1e-9 for value in drawn)


def test_half_precision_comes_back_as_it_came() -> None:
    scores, grades = batch(8)
    for loss in (lambda_loss, soft_loss):
        low = scores.bfloat16().requires_grad_()
        value = loss(low, targets(grades, objective="GAP", grades=2))
        value.backward()
        same = loss(low.detach().float(), targets(grades, objective="GAP", grades=2))
        assert value.dtype == low.grad.dtype == torch.bfloat16
        assert value.item() == same.bfloat16().item()


class Recording(TorchDispatchMode):
    """Remembers the largest tensor, and refuses to wait for a number."""

    largest = 0

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        assert "_local_scalar_dense" not in str(func), "a device would have to be waited for"
        result = func(*args, **(kwargs or {}))
        for each in result if isinstance(result, (tuple, list)) else [result]:
            if isinstance(each, torch.Tensor):
                self.largest = max(self.largest, each.numel())
        return result


@pytest.mark.parametrize(
    ("kind", "measure", "bound"),
    [
        ("lambda", "GAP", 2 * 4 * 300),
        ("soft", "GAP", 2 * 4 * 300),
        ("soft", "nDCG@5", 2 * 4 * 300 * 5),
    ],
)
def test_chunks_bound_memory(kind: str, measure: str, bound: int) -> None:
    scores, grades = batch(9, [300, 280, 300, 200])
    whole = [found(plainly(measure, grades[:2], kind, chunk=c), scores[:2]) for c in (4, 300)]
    assert torch.allclose(whole[0][1], whole[1][1], atol=1e-13)
    loss = plainly(measure, grades[:2], kind, chunk=4)
    with Recording() as recording:
        loss(scores[:2].clone().requires_grad_()).sum().backward()
    assert recording.largest <= bound


@pytest.mark.parametrize(("kind", "measure"), CASES)
def test_everything_stays_on_the_device(kind: str, measure: str) -> None:
    """The meta device holds no numbers: mixing devices or asking for a number is an error."""
    scores, grades = batch(10)
    moving = scores.to("meta").requires_grad_()
    prepared = targets(grades, objective=measure, grades=2).to("meta", torch.float32)
    loss = lambda_loss if kind == "lambda" else soft_loss
    value = loss(moving, prepared)
    value.backward()
    assert value.device.type == moving.grad.device.type == "meta"


def test_targets_go_through_a_loader() -> None:
    _, grades = batch(11)
    loader = torch.utils.data.DataLoader(
        list(grades),
        batch_size=3,
        collate_fn=lambda rows: targets(torch.stack(rows), objective="GAP", grades=2),
    )
    parts = list(loader)
    assert all(isinstance(part, plain_torch.Targets) for part in parts)
    whole = targets(grades, objective="GAP", grades=2)
    for name in ("levels", "mask", "useful", "kernel", "gain", "weight"):
        assert torch.equal(torch.cat([getattr(p, name) for p in parts]), getattr(whole, name))


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    ("kind", "measure", "backend"),
    [
        ("lambda", "GAP", "aot_eager"),
        ("lambda", "ERR", "aot_eager"),
        ("lambda", "RR", "aot_eager"),
        ("soft", "GAP", "inductor"),  # takes ten times as long as tracing alone
        ("soft", "nDCG@5", "aot_eager"),
    ],
)
def test_losses_compile_as_one_graph(kind: str, measure: str, backend: str) -> None:
    if backend == "inductor" and not (shutil.which("g++") or shutil.which("clang++")):
        pytest.skip("there is no C++ compiler")
    scores, grades = batch(12)
    loss = lambda_loss if kind == "lambda" else soft_loss
    compiled = torch.compile(loss, fullgraph=True, backend=backend)
    prepared = targets(grades, objective=measure, grades=2)
    expected = found(lambda s: loss(s, prepared, **EACH), scores)
    ours = found(lambda s: compiled(s, prepared, **EACH), scores)
    assert torch.allclose(ours[0], expected[0], atol=1e-12, rtol=0)
    assert torch.allclose(ours[1], expected[1], atol=1e-12, rtol=0)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda s, g: targets(g[0]), "grades must have two dimensions, not 1"),
        (lambda s, g: targets(g, mask=g[:, :1] > 0), "mask has shape (1, 1), not (1, 3)"),
        (lambda s, g: targets(g, objective="Bpref"), "cannot be an objective"),
        (lambda s, g: lambda_loss(s[:, :2], targets(g)), "scores have shape (1, 2), but targets"),
        (lambda s, g: lambda_loss(s, targets(g), sigma=0), "sigma must be above 0, not 0"),
        (lambda s, g: lambda_loss(s, targets(g), truncation=0), "truncation must be at least 1"),
        (lambda s, g: lambda_loss(s, targets(g), chunk=0), "chunk must be at least 1"),
        (lambda s, g: soft_loss(s, targets(g), reduction="avg"), "'none', not 'avg'"),
        (lambda s, g: soft_loss(s, targets(g, objective="AP@3")), "AP@3 has no soft version"),
        (lambda s, g: soft_loss(s, targets(g, objective="ERR")), "ERR has no soft version"),
    ],
)
def test_bad_input_gets_a_sentence(call: Callable[..., Any], message: str) -> None:
    with pytest.raises(GradewiseError) as caught:
        call(torch.tensor([[0.1, 0.2, 0.3]]), torch.tensor([[0, 1, 2]]))
    assert message in str(caught.value)
