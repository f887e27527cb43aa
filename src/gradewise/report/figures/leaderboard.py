"""The leaderboard: means with intervals, and the groups or tiers of runs."""

from collections.abc import Mapping
from typing import Any

from gradewise.errors import counted
from gradewise.libraries import alt, pl
from gradewise.report.figures.theme import COLORS, stated, themed, titles
from gradewise.stats.comparison import Comparison
from gradewise.stats.measure_comparison import MeasureComparison

_ROOMY = 40  # runs; more are drawn closer together
_PANEL = 70  # letters of a title above one panel


def leaderboard(comparison: Comparison | Mapping[str, Comparison]) -> Any:
    """Draw each measure's means with their intervals, best run first, and its groups or tiers.

    Tiers have colors of their own, and a line and a label where each begins. Comparisons over
    several sets of topics, {name: comparison}, are drawn below each other.
    """
    if isinstance(comparison, Comparison):
        return _stated("", comparison)
    if len(comparison) == 1:
        ((name, alone),) = comparison.items()
        return _stated(name, alone)
    rows = [
        _row(each).properties(title=titles(*_words(name, each)))
        for name, each in comparison.items()
    ]
    return themed(alt.vconcat(*rows))


def _stated(name: str, comparison: Comparison) -> Any:
    finding, source, letters = _words(name, comparison)
    return stated(_row(comparison), finding, source, letters=letters)


def _words(name: str, comparison: Comparison) -> tuple[str, list[str], int]:
    """Return what is found, what it rests on, and how long lines may be."""
    found = _shared_finding(comparison) or "; ".join(_finding(p) for p in comparison.parts)
    return (
        f"{name}: {found}" if name else found,
        [sentence.rstrip(".") for sentence in comparison.sentences()],
        _PANEL * len(comparison.parts),
    )


def _shared_finding(comparison: Comparison) -> str:
    """Say that one run is best by several measures, if it is; else nothing."""
    parts = comparison.parts
    best = {part.runs[0] for part in parts}
    alone = len(parts) == 1 or len(best) > 1
    if alone or comparison.baseline is not None or parts[0].shows_tiers:
        return ""
    others = len(parts[0].runs) - 1
    behind = [str(int(part.differs[0].sum())) for part in parts]
    numbers = behind[0] if len(set(behind)) == 1 else _listed(behind)
    return (
        f"{best.pop()} is best by {_listed([str(part.measure) for part in parts])}, and "
        f"significantly better than {numbers} of the {counted(others, 'other run')}"
    )


def _listed(words: list[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}"


def _finding(part: MeasureComparison) -> str:
    """Say which run is best and how many cannot be told from it, or how many differ from a base."""
    others = len(part.runs) - 1
    if part.baseline is not None:
        differing = int(part.significant.sum())
        verb = "differs" if differing == 1 else "differ"
        return (
            f"{differing} of {counted(others, 'other run')} {verb} significantly from "
            f"{part.baseline} in {part.measure}"
        )
    alike = others - int(part.differs[0].sum())
    best = f"{part.runs[0]} is best by {part.measure}"
    if part.shows_tiers and part.tiers is not None:
        return f"{best}; its tier has {int((part.tiers == 1).sum())} of {others + 1} runs"
    if not alike:
        return f"{best}, significantly ahead of all other runs"
    verb = "does" if alike == 1 else "do"
    return (
        f"{best}; {alike} of {counted(others, 'other run')} {verb} not differ from it significantly"
    )


def _row(comparison: Comparison) -> Any:
    """Draw the measures side by side."""
    return alt.hconcat(*[_panel(part) for part in comparison.parts])


def _panel(part: MeasureComparison) -> Any:
    """Draw the runs by one measure."""
    many = len(part.runs) > _ROOMY
    labels = alt.Axis(labelLimit=260, labelFontSize=9 if many else 11)
    base = alt.Chart(part.runs_frame()).encode(
        y=alt.Y("run:N", sort=list(part.runs), title=None, axis=labels)
    )
    title = f"{part.measure}, mean over {part.topics} topics"
    bounds = alt.X("low:Q", title=title, scale=alt.Scale(zero=False))
    color = _tier_colors(part) if part.shows_tiers else alt.value(COLORS[0])
    layers = [
        base.mark_rule().encode(x=bounds, x2="high:Q", color=color),
        base.mark_point(filled=True, size=25 if many else 50, opacity=1).encode(
            x="mean:Q", color=color
        ),
        *(_tier_marks(part) if part.shows_tiers else [_group_marks(base)]),
    ]
    return alt.layer(*layers).properties(width=320, height=alt.Step(11 if many else 18))


def _group_marks(base: Any) -> Any:
    """Write letters or asterisks behind the intervals."""
    text = base.mark_text(align="left", dx=6, fontSize=10, color="#444444")
    return text.encode(x="high:Q", text="group:N")


def _tier_colors(part: MeasureComparison) -> Any:
    """Give neighboring tiers different colors; labels, not a legend, say which is which."""
    tiers = sorted(set(part.marks), key=int)
    colors = [COLORS[(int(tier) - 1) % 4] for tier in tiers]
    return alt.Color("tier:O", scale=alt.Scale(domain=list(map(int, tiers)), range=colors)).legend(
        None
    )


def _tier_marks(part: MeasureComparison) -> list[Any]:
    """Draw a line above the first run of each tier, and its number and size."""
    frame = part.runs_frame()
    sizes = frame.group_by("tier").agg(pl.len().alias("runs"))
    starts = frame.unique("tier", keep="first", maintain_order=True).join(sizes, on="tier")
    starts = starts.with_columns(label=pl.format("tier {} ({})", "tier", "runs"))
    y = alt.Y("run:N", sort=list(part.runs), title=None, bandPosition=0)
    lines = alt.Chart(starts).mark_rule(color="#999999", strokeDash=[3, 2]).encode(y=y)
    text = alt.Chart(starts).mark_text(
        align="left", baseline="top", dx=4, fontSize=10, color="#222222"
    )
    return [lines, text.encode(x=alt.value("width"), y=y, text="label:N")]
