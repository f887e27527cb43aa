"""Ferrante, Ferro & Maistro, Tables 2-3: how measures agree as thresholds change."""

from dataclasses import dataclass

import numpy as np

from gradewise.arrays import Floats
from gradewise.collection.judged import Judged
from gradewise.errors import OptionError
from gradewise.measures.evaluate import score_judged
from gradewise.meta.correlation import ThresholdGrid, threshold_grid
from gradewise.meta.topics import choose_topics
from gradewise.report.figures.correlation import threshold_curves
from gradewise.reproduce.ferrante_tracks import RULES, Studied
from gradewise.reproduce.result import Property, Section
from gradewise.tables import Table

QUARTILE = 0.25  # runs below it by MAP are left out
GRADED = ("GAP", "xGAP", "eGAP")
OTHERS = ("GAP", "AP", "nDCG", "RBP", "Bpref")
WOBBLE = 0.02  # the printed curves go down by as much between steps


@dataclass(frozen=True)
class Correlations:
    """`tau[s, i, m, o]`: on subset s of the topics, at point i of g, of graded measure m and o."""

    subsets: tuple[str, ...]
    points: Floats
    tau: Floats

    @staticmethod
    def of_print(text: str, points: Floats) -> "Correlations":
        """Return a printed table."""
        cells = [[cell.split("/") for cell in line.split()] for line in text.splitlines()]
        tau = np.moveaxis(np.array(cells, np.float64), -1, 0)
        shape = (len(tau), len(points), len(GRADED), len(OTHERS))
        return Correlations(tuple(RULES)[: len(tau)], points, tau.reshape(shape))

    def between(self, graded: str, other: str, subset: int = 0) -> Floats:
        """Return τ of two measures at each point."""
        return self.tau[subset, :, GRADED.index(graded), OTHERS.index(other)]

    def along(self, graded: str, other: str, *, positive: bool) -> Floats:
        """Return τ of two measures as g_1 rises, averaged over points with the same g_1."""
        levels = np.unique(self.points[:, 0])[int(positive) :]
        tau = self.between(graded, other)
        return np.array([tau[self.points[:, 0] == level].mean() for level in levels])


def table_section(part: str, study: Studied) -> Section:
    """Return τ of the graded measures with others, printed values beside ours."""
    grids = _grids(study)
    first = next(iter(grids.values()))[0]
    tau = np.mean([[grid.tau for grid in row] for row in grids.values()], axis=1)
    ours = Correlations(tuple(grids), first.probabilities, tau)
    printed = Correlations.of_print(study.printed, ours.points) if study.printed else None
    title = (
        f"Ferrante et al. (2014), Table {part[-1]}: {study.name}, {len(first.runs)} of them used; "
        f"Kendall's tau on {', '.join(f'{name} ({len(g[0].topics)})' for name, g in grids.items())}"
    )
    if printed is not None:
        title += f"; {_describe_distance(np.abs(ours.tau - printed.tau))}"
    return Section(
        part,
        title,
        _table(ours, printed),
        properties=(*_one_threshold(study.sets[0]), *_claims(ours, printed, study.low)),
        chart=lambda: threshold_curves(first),
    )


def _describe_distance(apart: Floats) -> str:
    """Say how far values are from the printed ones, in all and by the measure correlated with."""
    parts = zip(OTHERS, apart.mean(axis=(0, 1, 2)).tolist(), strict=True)
    each = ", ".join(f"{other} {mean:.2f}" for other, mean in parts)
    return f"mean difference from the printed values {apart.mean():.2f} ({each})"


def _grids(study: Studied) -> dict[str, list[ThresholdGrid]]:
    """Return a grid for each set of runs, by subset of the topics."""
    return {
        name: [threshold_grid(j, others=OTHERS, above=QUARTILE, topics=rule) for j in study.sets]
        for name, rule in list(RULES.items())[: len(study.low)]
        if has_topics(study.sets[0], rule)
    }


def has_topics(judged: Judged, rule: str | None) -> bool:
    """Return whether a rule leaves any topic."""
    try:
        return bool(choose_topics(judged, rule).any())
    except OptionError:
        return False


def _table(ours: Correlations, printed: Correlations | None) -> Table:
    header = ["g", ""]
    for other in OTHERS:
        header += [f"{other}: paper", "ours"] if printed else [other]
    rows = []
    for i, g in enumerate(ours.points):
        for m, measure in enumerate(GRADED):
            cells = []
            for o in range(len(OTHERS)):
                shown = [printed, ours] if printed else [ours]
                cells += ["/".join(f"{v:.2f}" for v in x.tau[:, i, m, o]) for x in shown]
            rows.append([f"({', '.join(f'{x:.1f}' for x in g)})", measure, *cells])
    return Table(header, rows, labels=2)


def _one_threshold(judged: Judged) -> list[Property]:
    """Check that measures equal AP when all users have the same threshold."""
    found = []
    for place, grade in enumerate(judged.scale):
        g = [1.0 if index == place else 0.0 for index in range(len(judged.scale))]
        names = [f"{name}(g={g})" for name in GRADED]
        values = score_judged(judged, [*names, f"AP(rel={grade})"]).values
        apart = float(np.abs(values[:, :, :3] - values[:, :, 3:]).max())
        found.append(
            Property(
                f"if all thresholds are at grade {grade}, GAP = xGAP = eGAP = AP(rel={grade})",
                apart < 1e-12,
                f"largest difference {apart:.1e}",
            )
        )
    return found


def _claims(
    ours: Correlations, printed: Correlations | None, low: tuple[float, ...]
) -> list[Property]:
    """Check what the text says, on our numbers and on the printed ones."""
    found = about_correlations(ours, low)
    if printed is None:
        return found
    own = about_correlations(printed, low)
    return [
        Property(
            claim.what,
            claim.holds,
            f"{claim.detail}; printed: {theirs.detail}"
            + ("" if theirs.holds else ", so it does not hold in the paper itself"),
            claim.necessary,
        )
        for claim, theirs in zip(found, own, strict=True)
    ]


def about_correlations(table: Correlations, low: tuple[float, ...]) -> list[Property]:
    """Check the claims of section 6 about Tables 2-3."""
    place = int(np.flatnonzero(np.isclose(table.points, low).all(axis=1))[0])
    claims = [_equal_at_corners(table)]
    for graded, other, positive in (
        ("xGAP", "AP", False),
        ("eGAP", "AP", False),
        ("xGAP", "GAP", True),
        ("eGAP", "GAP", True),
        *[(graded, "nDCG", False) for graded in GRADED],
    ):
        claims.append(_rises(table, graded, other, positive))
    claims += [_jumps(table), _overestimates(table, place, low)]
    for subset, name in enumerate(table.subsets[1:], 1):
        claims += [_drops(table, place, subset, name), _follows_ndcg(table, subset, name)]
    return claims


def _equal_at_corners(table: Correlations) -> Property:
    corners = (table.points == 1).any(axis=1)
    with_gap = np.stack([table.between(m, "GAP", s)[corners]
                         for m in GRADED for s in range(len(table.subsets))])  # fmt: skip
    lenient = table.tau[:, -1, :, OTHERS.index("AP")]
    least = min(float(with_gap.min()), float(lenient.min()))
    return Property(
        "if one g_k is 1, the three measures rank runs identically, and as AP does if g_1 is 1",
        least > 1 - 1e-9,
        f"smallest tau {least:.3f}",
    )


def _rises(table: Correlations, graded: str, other: str, positive: bool) -> Property:
    curve = table.along(graded, other, positive=positive)
    drop = float(np.max(curve[:-1] - curve[1:]))
    since = "from its first positive value" if positive else "from 0"
    return Property(
        f"tau({other}, {graded}) rises with g_1, {since} to 1",
        bool(curve[-1] > curve[0] and drop <= WOBBLE + 1e-9),
        f"{curve[0]:.2f} to {curve[-1]:.2f}, largest step down {max(drop, 0):.3f}",
        necessary=False,
    )


def _jumps(table: Correlations) -> Property:
    """Check that GAP nears AP as soon as g_1 is positive."""
    steps = [np.diff(table.along(name, "AP", positive=False))[0] for name in GRADED]
    return Property(
        "as soon as g_1 is positive, tau with AP rises most for GAP",
        bool(steps[0] > max(steps[1:])),
        "by " + ", ".join(f"{s:+.2f} {name}" for s, name in zip(steps, GRADED, strict=True)),
        necessary=False,
    )


def _overestimates(table: Correlations, place: int, low: tuple[float, ...]) -> Property:
    gap, xgap, egap = (float(table.between(m, "AP")[place]) for m in GRADED)
    return Property(
        f"at g = {_point(low)} GAP is closer to AP than xGAP and eGAP are",
        gap > max(xgap, egap),
        f"tau {gap:.2f}, {xgap:.2f}, {egap:.2f}",
        necessary=False,
    )


def _drops(table: Correlations, place: int, subset: int, name: str) -> Property:
    """Check that GAP hardly reacts to the subset, and that xGAP and eGAP do."""
    change = [
        float(table.between(m, "AP", subset)[place] - table.between(m, "AP")[place]) for m in GRADED
    ]
    return Property(
        f"on {name}, tau with AP drops more for xGAP and eGAP than for GAP",
        change[0] > max(change[1:]),
        "changes " + ", ".join(f"{c:+.2f} {m}" for c, m in zip(change, GRADED, strict=True)),
        necessary=False,
    )


def _follows_ndcg(table: Correlations, subset: int, name: str) -> Property:
    low = (table.points[:, 0] > 0) & (table.points[:, 0] <= 0.3)
    gap, xgap, egap = (table.between(m, "nDCG", subset)[low] for m in GRADED)
    margin = float((gap - np.maximum(xgap, egap)).min())
    return Property(
        f"on {name}, with low g_1, GAP is closer to nDCG than xGAP and eGAP are",
        margin > 0,
        f"smallest margin {margin:+.2f}",
        necessary=False,
    )


def _point(g: tuple[float, ...]) -> str:
    return f"({', '.join(f'{x:g}' for x in g)})"
