"""The ratio equals the largest one over all numbers of documents, tried one by one."""

import itertools
import random

import numpy as np
import pytest

from gradewise.kernels.ratio import maximize_ratio


def _case(rng: random.Random, free: int, known: int, levels: int) -> dict[str, list[float]]:
    level = [*[-1] * free, *[rng.randint(0, levels) for _ in range(known)]]
    rng.shuffle(level)
    weight = [rng.choice([0.0, rng.gauss(0, 1)]) for _ in level]
    order = sorted((d for d in range(len(level)) if level[d] < 0), key=lambda d: -weight[d])
    outside = [rng.choice([0, 0, 1, 3]) for _ in range(levels)]
    counts = [sum(l >= j for l in level) + sum(outside[j - 1 :]) for j in range(1, levels + 1)]  # noqa: E741
    discounts = sorted(
        (rng.random() for _ in range(counts[0] + free if levels else 0)), reverse=True
    )
    cut = rng.randint(0, len(discounts))  # no discount beyond a cutoff
    ideal = [0.0, *itertools.accumulate([*discounts[:cut], *[0.0] * (len(discounts) - cut)])]
    steps = [rng.choice([0.0, 1.0, 2.0, 4.5]) for _ in range(levels)]
    return {"weight": weight, "level": level, "order": order, "relevant": counts, "steps": steps,
            "ideal": ideal}  # fmt: skip


def _ratio(case: dict[str, list[float]], chosen: tuple[int, ...]) -> float:
    """Σ Δ_j (b_j + W(n_j)) / Σ Δ_j S(R_j + n_j), 0 if nothing is ideal."""
    above = below = 0.0
    for j, n in enumerate(chosen, 1):
        step = case["steps"][j - 1]
        known = [w for w, l in zip(case["weight"], case["level"], strict=True) if l >= j]  # noqa: E741
        first = [case["weight"][int(d)] for d in case["order"][:n]]
        above += step * (sum(known) + sum(first))
        below += step * case["ideal"][int(case["relevant"][j - 1]) + n]
    return above / below if below > 0 else 0.0


def _arrays(case: dict[str, list[float]]) -> list[np.ndarray]:
    types = {"weight": float, "level": np.int64, "order": np.int64, "relevant": np.int64,
             "steps": float, "ideal": float}  # fmt: skip
    return [np.array(case[name], kind) for name, kind in types.items()]


@pytest.mark.parametrize("levels", [1, 2, 3])
@pytest.mark.parametrize("free", [0, 1, 2, 5])
def test_equals_every_choice(levels: int, free: int) -> None:
    rng = random.Random(f"{levels} {free}")
    for _ in range(60):
        case = _case(rng, free, rng.choice([0, 1, 6]), levels)
        known, bound, chosen = maximize_ratio(*_arrays(case))
        ratios = [_ratio(case, each) for each in itertools.product(range(free + 1), repeat=levels)]
        assert known == pytest.approx(ratios[0], abs=1e-12)
        assert bound == pytest.approx(_ratio(case, tuple(chosen.tolist())), abs=1e-12)
        assert known <= bound <= max(ratios) + 1e-12
        if bound > 0:  # with nothing ideal, and below 0, numbers need not be the best ones
            assert bound == pytest.approx(max(ratios), abs=1e-12)


def test_no_levels_and_no_documents() -> None:
    nothing = _case(random.Random(0), 0, 0, 0)
    assert maximize_ratio(*_arrays(nothing))[:2] == (0, 0)
    known, bound, chosen = maximize_ratio(*_arrays(_case(random.Random(0), 0, 0, 2)))
    assert (known, bound, chosen.tolist()) == (0, 0, [0, 0])


def test_extreme_values() -> None:
    rng = random.Random(3)
    case = _case(rng, 5, 4, 2)
    known, bound, chosen = maximize_ratio(*_arrays(case))
    case["weight"] = [1e200 * weight for weight in case["weight"]]
    larger = maximize_ratio(*_arrays(case))
    assert larger[:2] == pytest.approx((1e200 * known, 1e200 * bound), rel=1e-12)
    assert larger[2].tolist() == chosen.tolist()
