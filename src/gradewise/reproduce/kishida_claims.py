"""What Kishida's text says about his tables and examples; `kishida_theory` has what it proves."""

from collections.abc import Callable, Sequence

from gradewise.measures.evaluate import score
from gradewise.reproduce.kishida_patterns import INDICATORS, list_patterns, score_patterns
from gradewise.reproduce.kishida_theory import (
    about_added_documents,
    about_derivatives,
    about_total_variance,
)
from gradewise.reproduce.result import Property, Reproduced


def about_changes(rows: Sequence[Reproduced]) -> tuple[Property, ...]:
    """Check sections 2.2 and 3.2: what a document contributes by its rank, and when AP falls."""
    signs = []
    for row in rows:
        relevant, v = (float(part.split("=")[1]) for part in row.what.split())
        signs.append((row.ours < 0) == (v * 101 > relevant + 1))
    negative = sum(row.ours < 0 for row in rows)
    return (
        *about_added_documents(),
        Property(
            "a new relevant document lowers AP if and only if v j > R + 1",
            all(signs),
            f"{negative} of {len(rows)} cells are negative",
        ),
    )


def about_variances(rows: Sequence[Reproduced]) -> tuple[Property, ...]:
    """Check section 3.3; the simulation is ours, so that chance has a say but for eq 24."""
    ours = {row.what: row.ours for row in rows}
    small, large = ours["theta=0.9 sigma_d^2"], ours["theta=0.5 sigma_d^2"]
    between = ours["theta=0.9 sigma_mu^2"]
    apart = max(
        abs(ours[f"theta={theta} sum"] / ours[f"theta={theta} mean observed variance"] - 1)
        for theta in (0.9, 0.5)
    )
    return (
        Property(
            "with theta = .9, variance between judgments is below that between topics",
            small < between,
            f"{small:.4f} and {between:.4f}",
            necessary=False,
        ),
        Property(
            "with theta = .5, variance between judgments is about three times as large as with .9",
            2.5 <= large / small <= 3.5,
            f"{large / small:.2f} times",
            necessary=False,
        ),
        Property(
            "the sum of both variances is about the mean observed variance, within 2%",
            apart < 0.02,
            f"off by up to {apart:.1%}",
            necessary=False,
        ),
        about_total_variance(),
    )


def about_distributions(rows: Sequence[Reproduced]) -> tuple[Property, ...]:
    """Check what is said of Table 3, and the examples that lead to it."""
    averages = {row.what.split()[-1]: row.ours for row in rows if row.what.startswith("average")}
    order = sorted(averages, key=averages.__getitem__)
    patterns = len(list_patterns())
    return (
        Property("there are 136 patterns", patterns == 136, str(patterns)),
        Property(
            "Q has the highest average, GenAP the lowest",
            (order[0], order[-1]) == ("GenAP", "Q"),
            ", ".join(f"{name} {averages[name]:.3f}" for name in order),
        ),
        *_examples(),
        _higher_is_better(),
        about_derivatives(),
    )


def _examples() -> list[Property]:
    """Check the examples of sections 4.1.2 to 4.1.5."""
    found = {
        name: [score(name, grades, {1: 1, 2: 2, 3: 1}) for grades in ([1, 2, 3, 0], [3, 2, 1, 0])]
        for name in ("SR", "MSR")
    }
    half = [
        score("RHL", [1 if n in (1, d) else 2 if n in (3, c) else 0 for n in range(1, d + 1)],
              {1: 2, 2: 2})
        for c, d in ((9, 14), (100, 1000))
    ]  # fmt: skip
    below = score_patterns([[3, 2, 0, 1, 0], [3, 2, 0, 0, 1]], ("WAP", "Q"))
    return [
        Property(
            "the sliding ratio is 0.75 for 123 and for 321; the modified one is 0.61 and 0.88",
            [round(v, 2) for v in (*found["SR"], *found["MSR"])] == [0.75, 0.75, 0.61, 0.88],
            ", ".join(f"{v:.3f}" for v in (*found["SR"], *found["MSR"])),
        ),
        Property(
            "ranked half-life ignores the ranks of documents below the median",
            abs(half[0] - half[1]) < 1e-12,
            f"{half[0]:g} for ranks 1, 3, 9, 14, and {half[1]:g} for ranks 1, 3, 100, 1000",
        ),
        Property(
            "WAP gives 32010 and 32001 the same value, Q does not",
            bool(abs(below[0, 0] - below[0, 1]) < 1e-12 < below[1, 0] - below[1, 1]),
            f"WAP {below[0, 0]:.3f}, {below[0, 1]:.3f}; Q {below[1, 0]:.3f}, {below[1, 1]:.3f}",
        ),
    ]


def _higher_is_better() -> Property:
    """Swap every relevant document with a nonrelevant one just above it."""
    lower = [p for p in list_patterns() for n in range(4) if p[n] == 0 < p[n + 1]]
    places = [n for p in list_patterns() for n in range(4) if p[n] == 0 < p[n + 1]]
    higher = [[*p[:n], p[n + 1], 0, *p[n + 2 :]] for p, n in zip(lower, places, strict=True)]
    gains = score_patterns(higher, INDICATORS) - score_patterns(lower, INDICATORS)
    return Property(
        "for each indicator, a relevant document counts more at a higher rank",
        bool((gains > 0).all()),
        f"all {gains.shape[1]} swaps of neighbors; smallest gain {gains.min():.4f}",
    )


def about_correlations(rows: Sequence[Reproduced]) -> tuple[Property, ...]:
    """Check what is said of Table 4."""
    r = {frozenset(row.what.split()): row.ours for row in rows}
    pairs = {pair: value for pair, value in r.items() if len(pair) == 2 and "AP" not in pair}
    strongest = max(pairs, key=pairs.__getitem__)
    weakest = sorted(pairs, key=pairs.__getitem__)[:2]
    with_genap = min(value for pair, value in pairs.items() if "GenAP" in pair)
    return (
        Property(
            "MSR and AnDCG correlate most",
            strongest == {"MSR", "AnDCG"},
            f"{pairs[strongest]:.3f}",
        ),
        Property(
            "Q correlates least with MSR and with AnDCG",
            set(weakest) == {frozenset(("Q", "MSR")), frozenset(("Q", "AnDCG"))},
            ", ".join(f"{pairs[pair]:.3f}" for pair in weakest),
        ),
        Property(
            "GenAP correlates highly with the other three, at .94 or more",
            round(with_genap, 3) >= 0.94,
            f"lowest {with_genap:.3f}",
        ),
    )


def about_patterns(rows: Sequence[Reproduced]) -> tuple[Property, ...]:
    """Check what is said of the patterns (a) to (e) of Table 5."""
    value = {tuple(row.what.split()): row.ours for row in rows}

    def order(pattern: str) -> list[str]:
        return sorted(INDICATORS, key=lambda name: value[pattern, name])

    def shown(pattern: str) -> str:
        return ", ".join(f"{name} {value[pattern, name]:.3f}" for name in INDICATORS)

    ahead = [name for name in INDICATORS if value["03210/32000", name] > 1]
    return (
        Property("32000: Q is lowest, then GenAP", order("32000")[:2] == ["Q", "GenAP"],
                 shown("32000")),
        Property("00123: Q is highest, AnDCG lowest",
                 (order("00123")[0], order("00123")[-1]) == ("AnDCG", "Q"), shown("00123")),
        Property(
            "00123: AnDCG is about 20% of its value for 32000",
            round(value["00123/32000", "AnDCG"], 1) == 0.2,
            f"{value['00123/32000', 'AnDCG']:.1%}",
        ),
        Property("only Q prefers 03210 to 32000, and GenAP comes nearest to that",
                 ahead == ["Q"] and order("03210/32000")[-2:] == ["GenAP", "Q"],
                 shown("03210/32000")),
        Property(
            "30000: MSR is highest and Q lowest, GenAP between Q and the other two",
            order("30000")[:2] == ["Q", "GenAP"] and order("30000")[-1] == "MSR",
            shown("30000"),
        ),
        Property("00003: AnDCG is lowest", order("00003")[0] == "AnDCG", shown("00003")),
    )  # fmt: skip


CLAIMS: dict[str, Callable[[Sequence[Reproduced]], tuple[Property, ...]]] = {
    "1": about_changes,
    "2": about_variances,
    "3": about_distributions,
    "4": about_correlations,
    "5": about_patterns,
}
