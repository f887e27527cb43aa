"""Ferrante, Ferro & Maistro, sections 3-5: what the text works out about GAP, xGAP and eGAP."""

import numpy as np

from gradewise.measures.evaluate import score
from gradewise.reproduce.result import Property

_COUNTS = {1: 10, 2: 1}  # R(1) and R(2) of the paper's example
_LONG = 100_000  # documents of grade 1 ahead of the only one of grade 2
_G = 0.9  # g_2


def about_examples() -> tuple[Property, ...]:
    """Check the probabilities and limits that the text states."""
    return (_product(), _chances(), _limits(), _expectation())


def _product() -> Property:
    """Check the last form of AP in equation 1, with documents that were not retrieved."""
    rng = np.random.default_rng(1)
    apart = 0.0
    for _ in range(20):
        grades = np.append(rng.integers(0, 2, 12), 1).tolist()
        ranks = np.flatnonzero(grades) + 1
        precision = (np.arange(1, len(ranks) + 1) / ranks).mean()
        recall = len(ranks) / (len(ranks) + 3)
        apart = max(apart, abs(score("AP", grades, {1: len(ranks) + 3}) - recall * precision))
    return Property(
        "AP is recall times the mean precision at relevant documents retrieved (eq 1)",
        apart < 1e-12,
        f"largest difference in 20 random lists {apart:.1e}",
    )


def _chances() -> Property:
    """Check how likely the experiments of GAP and xGAP select a document.

    A list with one document at rank 1 has that probability as its value.
    """
    stated = {
        ("GAP", 0.5): (1 / 12, 1 / 6),
        ("GAP", 0.9): (1 / 20, 1 / 2),
        ("xGAP", 0.5): (1 / 22, 12 / 22),
        ("xGAP", 0.9): (1 / 110, 100 / 110),
    }
    ours = {
        (name, g): [score(f"{name}(g=[{1 - g:.1f},{g}])", [r], _COUNTS) for r in (1, 2)]
        for name, g in stated
    }
    apart = max(float(np.abs(np.subtract(ours[key], stated[key])).max()) for key in stated)
    return Property(
        "with 10 documents of grade 1 and 1 of grade 2, GAP selects the latter with probability "
        "1/6 if g_2 = .5 and 1/2 if g_2 = .9, and xGAP with 12/22 and 100/110",
        apart < 1e-12,
        ", ".join(f"{values[1]:.3f}" for values in ours.values()),
    )


def _limits() -> Property:
    grades, counts = [1] * _LONG + [2], {1: _LONG, 2: 1}
    names = ("GAP", "xGAP", "eGAP")
    found = {
        g: [score(f"{name}(g=[{round(1 - g, 1)},{g}])", grades, counts) for name in names]
        for g in (0.1, 0.5, _G)
    }
    ours = found[_G]
    return Property(
        "as the only document of grade 2 moves below more and more of grade 1, GAP tends to 1, "
        "xGAP to 1 - g_2^2 and eGAP to 1 - g_2",
        all(np.allclose(v, (1.0, 1 - g**2, 1 - g), atol=1e-4) for g, v in found.items()),
        f"{', '.join(f'{value:.4f}' for value in ours)} for {_LONG:,} of them and g_2 = {_G}; "
        "also for g_2 = .1 and .5",
    )


def _expectation() -> Property:
    rng = np.random.default_rng(0)
    apart = 0.0
    for _ in range(20):
        grades = rng.integers(0, 4, 12).tolist()
        counts = {k: grades.count(k) + 2 for k in (1, 2, 3)}
        g = rng.dirichlet(np.ones(3))
        mean = sum(p * score(f"AP(rel={k})", grades, counts) for k, p in enumerate(g, 1))
        apart = max(apart, abs(score(f"eGAP(g={g.tolist()})", grades, counts) - mean))
    return Property(
        "eGAP is the mean of AP over users' thresholds (eq 6)",
        apart < 1e-12,
        f"largest difference in 20 random lists {apart:.1e}",
    )
