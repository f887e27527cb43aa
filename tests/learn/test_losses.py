"""Losses against literal oracles, central differences, autograd, limits and symmetries."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError
from oracles import soft

torch = pytest.importorskip("torch", reason="torch is not installed")

from gradewise.learn import losses  # noqa: E402

PIVOTS = ["AP", "AP(rel=2)", "GAP(g=[0.3,0.7])", "eGAP(g=[0.3,0.7])", "xGAP(g=[0.3,0.7])", "GenAP"]
GAINS = [
    "nDCG",
    "nDCG@3",
    "nDCG(dcg='exp-log2')@4",
    "nDCG(dcg='linear')",
    "AnDCG(dcg='log2')",
    "P@3",
    "RBP(p=0.7)",
    "DCG@5",
    "Rprec",
]
OTHERS = ["Q", "WAP", "AP@3", "RR", "RR(rel=2)@4", "ERR", "ERR@3", "nERR@3", "NCUguBR"]
SOFT = [*[(losses.soft_pivot, name) for name in PIVOTS], *[(losses.soft_gain, n) for n in GAINS]]


def _case(seed: int, size: int = 7) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    grades = rng.permutation(np.r_[0, 1, 2, rng.integers(0, 3, size - 3)])
    return torch.tensor(rng.normal(size=size)), torch.tensor(grades)


def _relevant(grades: Any) -> dict[int, int]:
    return {1: int((grades == 1).sum()), 2: int((grades == 2).sum())}


def _hard(measure: str, scores: Any, grades: Any) -> float:
    ranking = grades[torch.argsort(-scores)].tolist()
    return gw.score(measure, grades=ranking, relevant=_relevant(grades))


def _options(measure: str) -> dict[str, object]:
    return {"objective": measure, "grades": 2}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("loss", "measure"), SOFT)
def test_soft_tends_to_hard(loss: Callable[..., Any], measure: str, seed: int) -> None:
    scores, grades = _case(seed)
    found = -loss(scores, grades, sigma=1e-4, **_options(measure)).item()
    assert found == pytest.approx(_hard(measure, scores, grades), abs=1e-9)


@pytest.mark.parametrize("sigma", [0.3, 1.0])
def test_soft_gap_is_the_papers(sigma: float) -> None:
    scores, grades = _case(4)
    for g in ([0.5, 0.5], [0.2, 0.8]):
        expected = soft.soft_gap(scores.tolist(), grades.tolist(), g, sigma)
        found = losses.soft_pivot(scores, grades, objective=f"GAP(g={g})", sigma=sigma)
        assert -found.item() == pytest.approx(expected, abs=1e-12)


def test_soft_pivot_measures_are_their_definitions() -> None:
    scores, grades = _case(5)
    number = _relevant(grades)
    base = [number[1] + number[2], number[2]]
    g = [0.3, 0.7]

    def share(level: int) -> float:
        return sum(g[k] / base[k] for k in range(level))

    def drawn(level: int) -> float:
        return sum(g[:level])

    ideal = sorted(grades.tolist(), reverse=True)
    best = sum(sum(ideal[: n + 1]) / (n + 1) for n in range(len(ideal)) if ideal[n])
    kernels: dict[str, Callable[[int, int], float]] = {
        "AP": lambda a, b: (a > 0) * (b > 0) / base[0],
        "eGAP(g=[0.3,0.7])": lambda a, b: share(min(a, b)),
        "xGAP(g=[0.3,0.7])": lambda a, b: share(a) / drawn(a) * drawn(min(a, b)) if a else 0.0,
        "GenAP": lambda a, b: (a > 0) * b / best,
    }
    for measure, kernel in kernels.items():
        expected = soft.soft_pivot(scores.tolist(), grades.tolist(), kernel, 0.8)
        found = losses.soft_pivot(scores, grades, sigma=0.8, **_options(measure))
        assert -found.item() == pytest.approx(expected, abs=1e-12), measure


def test_soft_gain_measures_are_expectations_over_all_outcomes() -> None:
    scores, grades = _case(6)
    ideal = sorted(grades.tolist(), reverse=True)
    dcg = sum(grade / math.log2(n + 2) for n, grade in enumerate(ideal))
    dcg3 = sum(grade / math.log2(n + 2) for n, grade in enumerate(ideal[:3]))
    cases: dict[str, tuple[Callable[[int], float], Callable[[int], float]]] = {
        "nDCG": (lambda r: r, lambda n: 1 / math.log2(n + 1) / dcg),
        "nDCG@3": (lambda r: r, lambda n: (n <= 3) / math.log2(n + 1) / dcg3),
        "P@3": (lambda r: float(r > 0), lambda n: (n <= 3) / 3),
        "RBP(p=0.7)": (lambda r: float(r > 0), lambda n: 0.3 * 0.7 ** (n - 1)),
    }
    for measure, (gain, discount) in cases.items():
        for sigma in (0.2, 1.0):
            expected = soft.soft_gain(scores.tolist(), grades.tolist(), gain, discount, sigma)
            found = losses.soft_gain(scores, grades, sigma=sigma, **_options(measure))
            assert -found.item() == pytest.approx(expected, abs=1e-12), measure


@pytest.mark.parametrize("sigma", [0.25, 1.0])
@pytest.mark.parametrize(("loss", "measure"), SOFT)
def test_soft_gradients_match_central_differences(
    loss: Callable[..., Any], measure: str, sigma: float
) -> None:
    scores, grades = _case(7, size=12)
    scores.requires_grad_()
    loss(scores, grades, sigma=sigma, **_options(measure)).backward()
    step, found = 1e-5, []
    for place in range(len(scores)):
        ends = []
        for sign in (1, -1):
            moved = scores.detach().clone()
            moved[place] += sign * step
            ends.append(loss(moved, grades, sigma=sigma, **_options(measure)).item())
        found.append((ends[0] - ends[1]) / (2 * step))
    largest = max(map(abs, found))
    assert scores.grad.tolist() == pytest.approx(found, rel=1e-6, abs=1e-6 * largest)


def _soft_gain_by_autograd(scores: Any, grades: Any, sigma: float) -> Any:
    """SoftNDCG with the recursion of Taylor et al., left to autograd."""
    size = len(scores)
    discount = 1 / torch.log2(torch.arange(size, dtype=torch.float64) + 2)
    ideal = (torch.sort(grades.double(), descending=True).values * discount).sum()
    total = scores.new_zeros(())
    for j in range(size):
        chances = scores.new_zeros(size)
        chances[0] = 1.0
        for i in range(size):
            if i != j:
                p = torch.special.ndtr((scores[i] - scores[j]) / (math.sqrt(2) * sigma))
                shifted = torch.cat([scores.new_zeros(1), chances[:-1]])
                chances = shifted * p + chances * (1 - p)
        total = total + grades[j] * (chances * discount).sum()
    return -total / ideal


def test_soft_gain_gradient_matches_autograd() -> None:
    for seed in range(3):
        scores, grades = _case(seed, size=20)
        mine, theirs = (scores.clone().requires_grad_() for _ in range(2))
        found = losses.soft_gain(mine, grades, objective="nDCG", sigma=0.7)
        expected = _soft_gain_by_autograd(theirs, grades, 0.7)
        found.backward()
        expected.backward()
        assert found.item() == pytest.approx(expected.item(), abs=1e-12)
        assert mine.grad.tolist() == pytest.approx(theirs.grad.tolist(), abs=1e-12)


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("measure", [*PIVOTS, *GAINS, *OTHERS])
def test_lambdas_equal_swapping_and_scoring_again(measure: str, seed: int) -> None:
    scores, grades = _case(seed, size=9)
    relevant = _relevant(grades)

    def value(ranking: list[int]) -> float:
        return gw.score(measure, grades=ranking, relevant=relevant)

    expected, slope = soft.lambdas(scores.tolist(), grades.tolist(), value, 1.3)
    scores.requires_grad_()
    found = losses.lambda_loss(scores, grades, sigma=1.3, **_options(measure))
    found.backward()
    assert found.item() == pytest.approx(expected, abs=1e-12)
    assert scores.grad.tolist() == pytest.approx(slope, abs=1e-12)


@pytest.mark.parametrize("measure", [*PIVOTS, *GAINS, *OTHERS])
def test_lambdas_sum_to_zero_in_every_list(measure: str) -> None:
    rng = np.random.default_rng(8)
    scores = torch.tensor(rng.normal(size=(5, 30)), requires_grad=True)
    grades = torch.tensor(rng.integers(0, 3, (5, 30)))
    losses.lambda_loss(scores, grades, reduction="sum", **_options(measure)).backward()
    assert scores.grad.abs().max() > 0
    assert scores.grad.sum(dim=1).abs().max() < 1e-12


@pytest.mark.parametrize("sigma", [0.01, 0.3, 1.0])
@pytest.mark.parametrize("measure", ["nDCG", "nDCG@10", "RBP(p=0.95)", "P@100"])
def test_long_lists_are_approximated_closely(measure: str, sigma: float) -> None:
    scores, grades = _case(14, size=450)
    found = []
    for exact in (449, 450):
        moving = scores.clone().requires_grad_()
        value = losses.soft_gain(
            moving, grades, sigma=sigma, exact_up_to=exact, **_options(measure)
        )
        value.backward()
        found.append((value.item(), moving.grad))
    usual = losses.soft_gain(scores, grades, sigma=sigma, **_options(measure)).item()
    assert usual == found[0][0] == pytest.approx(found[1][0], abs=1e-5)
    assert torch.allclose(found[0][1], found[1][1], atol=1e-4)


def test_long_soft_lists_tend_to_hard_ones() -> None:
    scores, grades = _case(15, size=1000)
    for measure in ("nDCG", "nDCG@3", "P@50"):
        found = -losses.soft_gain(scores, grades, sigma=1e-7, **_options(measure)).item()
        assert found == pytest.approx(_hard(measure, scores, grades), abs=1e-9)


def test_soft_gradients_sum_to_zero_too() -> None:
    scores, grades = _case(9, size=25)
    for loss in (losses.soft_pivot, losses.soft_gain):
        moving = scores.clone().requires_grad_()
        loss(moving, grades).backward()
        assert abs(moving.grad.sum().item()) < 1e-12


ALL: list[tuple[Callable[..., Any], dict[str, object]]] = [
    (losses.soft_pivot, {"objective": "GAP(g=[0.5,0.5])"}),
    (losses.soft_gain, {"objective": "nDCG@4"}),
    (losses.lambda_loss, {"objective": "xGAP(g=[0.5,0.5])"}),
    (losses.ranknet, {}),
    (losses.listnet, {}),
]


def _ragged() -> tuple[list[Any], list[Any], Any, Any]:
    rng = np.random.default_rng(10)
    sizes = [6, 3, 9, 1, 4]
    scores = [torch.tensor(rng.normal(size=size)) for size in sizes]
    grades = [torch.tensor(np.r_[rng.integers(0, 3, size - 1), 2]) for size in sizes]
    pad = torch.nn.utils.rnn.pad_sequence
    return (
        scores,
        grades,
        pad(scores, batch_first=True, padding_value=99.0),
        pad(grades, batch_first=True, padding_value=-1),
    )


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize(("loss", "options"), ALL)
def test_padded_equals_flat_equals_one_by_one(
    loss: Callable[..., Any], options: dict[str, object], reduction: str
) -> None:
    scores, grades, padded, padded_grades = _ragged()
    sizes = [len(part) for part in scores]
    flat = torch.cat(scores).requires_grad_()
    padded = padded.clone().requires_grad_()
    by_flat = loss(flat, torch.cat(grades), group=sizes, reduction=reduction, **options)
    by_padding = loss(padded, padded_grades, reduction=reduction, **options)
    odd = padded_grades.clone()
    odd[odd == -1] = 7
    there = padded_grades != -1
    by_mask = loss(padded, odd, mask=there, reduction=reduction, **options)
    alone = [
        loss(s, g, reduction="sum", **options).item() for s, g in zip(scores, grades, strict=True)
    ]
    useful = sum(len(set(g.tolist())) > 1 for g in grades)
    expected = {"mean": sum(alone) / useful, "sum": sum(alone), "none": alone}[reduction]
    for found in (by_flat, by_padding, by_mask):
        assert found.tolist() == pytest.approx(expected, abs=1e-12)
    by_flat.sum().backward()
    by_padding.sum().backward()
    assert padded.grad[there].tolist() == pytest.approx(flat.grad.tolist(), abs=1e-12)
    assert (padded.grad[~there] == 0).all()


@pytest.mark.parametrize(("loss", "options"), ALL)
def test_permuting_documents_permutes_gradients(
    loss: Callable[..., Any], options: dict[str, object]
) -> None:
    scores, grades = _case(11, size=15)
    order = torch.tensor(np.random.default_rng(1).permutation(15))
    straight, turned = scores.clone().requires_grad_(), scores[order].clone().requires_grad_()
    one, other = loss(straight, grades, **options), loss(turned, grades[order], **options)
    one.backward()
    other.backward()
    assert one.item() == pytest.approx(other.item(), abs=1e-12)
    assert turned.grad.tolist() == pytest.approx(straight.grad[order].tolist(), abs=1e-12)


def test_modules_do_what_functions_do() -> None:
    scores, grades = _case(12)
    twins = [losses.SoftPivot, losses.SoftGain, losses.LambdaLoss, losses.RankNet, losses.ListNet]
    for (loss, options), twin in zip(ALL, twins, strict=True):
        module = twin(**options)
        assert module(scores, grades).item() == loss(scores, grades, **options).item()
        assert module(scores, grades, group=[7]).item() == module(scores, grades).item()
        assert all(name in repr(module) for name in options)


@pytest.mark.slow
def test_a_model_learns_in_single_precision() -> None:
    torch.manual_seed(0)
    x = torch.randn(40, 12, 3)
    grades = (x[..., 0] > 0).long() + (x[..., 0] > 1).long()
    for loss, options in ALL:
        model = torch.nn.Linear(3, 1)
        optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
        for _ in range(60):
            optimizer.zero_grad()
            loss(model(x).squeeze(-1), grades, **options).backward()
            optimizer.step()
        weights = model.weight[0].abs()
        assert weights[0] > 3 * weights[1:].max()


def test_ties_are_broken_anew_and_by_the_seed() -> None:
    scores = torch.zeros(30, requires_grad=True)
    grades = torch.tensor([0, 1, 2] * 10)
    module = losses.LambdaLoss(objective="AP", seed=3)
    first, second = (module(scores, grades).item() for _ in range(2))
    assert first != second
    again = losses.LambdaLoss(objective="AP", seed=3)
    assert [again(scores, grades).item() for _ in range(2)] == [first, second]
    fixed = [losses.lambda_loss(scores, grades, seed=seed).item() for seed in (1, 1, 2)]
    assert fixed[0] == fixed[1] != fixed[2]


def test_pairs_below_the_truncation_are_left_out() -> None:
    scores = torch.tensor([5.0, 4.0, 3.0, 2.0, 1.0], requires_grad=True)
    grades = torch.tensor([0, 1, 0, 1, 0])
    losses.lambda_loss(scores, grades, objective="AP", truncation=1).backward()
    assert (scores.grad != 0).tolist() == [True, True, False, True, False]


def test_truncated_measures_have_no_gradient_far_below() -> None:
    """All of the first documents are surely there: nothing below can change P@2."""
    scores = torch.tensor([9.0, 8.0, 1.0, 0.9], requires_grad=True)
    losses.soft_gain(scores, torch.tensor([0, 1, 1, 0]), objective="P@2", sigma=0.1).backward()
    assert scores.grad[2:].abs().max() == 0


@pytest.mark.parametrize(("loss", "options"), ALL)
@pytest.mark.parametrize("grades", [[0, 0, 0], [2, 2, 2], [1]])
def test_lists_that_teach_nothing(
    loss: Callable[..., Any], options: dict[str, object], grades: list[int]
) -> None:
    scores, rest = _case(13)
    flat = torch.cat([torch.arange(float(len(grades)), dtype=torch.float64), scores])
    flat.requires_grad_()
    both = loss(flat, torch.tensor([*grades, *rest.tolist()]), group=[len(grades), 7], **options)
    both.backward()
    assert both.item() == pytest.approx(loss(scores, rest, **options).item(), abs=1e-14)
    assert (flat.grad[: len(grades)] == 0).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda s, g: losses.soft_pivot(s, g[:2]),
            "scores have shape (3,), but grades have shape (2,)",
        ),
        (lambda s, g: losses.soft_pivot(s, g, group=[2]), "the sizes in group sum to 2"),
        (lambda s, g: losses.soft_pivot(s, g, objective="nDCG"), "see soft_gain"),
        (lambda s, g: losses.soft_gain(s, g, objective="AP"), "see soft_pivot"),
        (lambda s, g: losses.soft_pivot(s, g, objective="Q"), "Q has no soft version"),
        (lambda s, g: losses.soft_pivot(s, g, objective="AP@3"), "AP@3 has no soft version"),
        (lambda s, g: losses.lambda_loss(s, g, objective="Bpref"), "cannot be an objective"),
        (lambda s, g: losses.soft_pivot(s, g, sigma=0), "sigma must be above 0, not 0"),
        (lambda s, g: losses.soft_pivot(s, g, reduction="avg"), "'none', not 'avg'"),
        (lambda s, g: losses.lambda_loss(s, g, truncation=0), "truncation must be at least 1"),
        (lambda s, g: losses.soft_pivot(s * math.nan, g), "scores must be finite numbers"),
        (lambda s, g: losses.soft_pivot(s, g + 0.5), "grades must be whole numbers"),
        (
            lambda s, g: losses.soft_pivot(s, g, objective="GAP(g=[1.0])"),
            "there are documents of grade 2, but the positive grades are 1",
        ),
        (lambda s, g: losses.ranknet(s[None], g[None], group=[3]), "group applies to flat tensors"),
        (lambda s, g: losses.ranknet(s, g, mask=g > 0), "mask applies to padded tensors"),
        (lambda s, g: losses.ranknet(s[None, None], g[None, None]), "one or two dimensions"),
        (lambda s, g: losses.ranknet(s[None], g[None], padding=0, mask=g > 0), "mask has shape"),
    ],
)
def test_bad_input_gets_a_sentence(call: Callable[..., Any], message: str) -> None:
    with pytest.raises(GradewiseError) as caught:
        call(torch.tensor([0.1, 0.2, 0.3]), torch.tensor([0, 1, 2]))
    assert message in str(caught.value)
