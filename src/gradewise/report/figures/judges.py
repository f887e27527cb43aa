"""Figures of judges: what they confuse, who is generous where, and whether it matters."""

from typing import TYPE_CHECKING, Any

from gradewise.errors import OptionError
from gradewise.libraries import alt, pl
from gradewise.meta.judging.agreement import JudgeAgreement
from gradewise.meta.judging.coverage import PoweredCoverage
from gradewise.meta.judging.effect import JudgeEffect
from gradewise.report.figures.theme import COLORS, GRADIENT, by_measure, stated, zero_rule
from gradewise.stats.prediction_powered import TARGETS

if TYPE_CHECKING:
    from gradewise.meta.judging.panel import Panel


def confusion_map(agreement: JudgeAgreement) -> Any:
    """Draw the grades of each judge against those of the reference, as heat maps.

    Colors are shares of the reference's grade, numbers are documents.
    """
    reference = agreement.panel.reference
    frame = agreement.confusions.filter(judge_a=reference)
    panels = []
    for name in agreement.panel.others:
        cells = frame.filter(judge_b=name)
        grades = cells["grade_a"].unique(maintain_order=True).to_list()
        note = agreement.pair(reference, name).note
        base = alt.Chart(cells).encode(
            x=alt.X("grade_b:O", title=name, axis=alt.Axis(labelAngle=0)),
            y=alt.Y("grade_a:O", title=reference, sort=grades[::-1]),
        )
        ink = alt.condition(alt.datum.share > 0.5, alt.value("black"), alt.value("white"))
        scale = alt.Scale(scheme=GRADIENT, domain=[0, 1])
        color = alt.Color(
            "share:Q", title="share of the row", scale=scale, legend=alt.Legend(format="%")
        )
        panels.append(
            alt.layer(
                base.mark_rect().encode(color=color),
                base.mark_text(fontSize=10).encode(
                    text=alt.Text("documents:Q", format=","), color=ink
                ),
            ).properties(
                width=alt.Step(44),
                height=alt.Step(30),
                title=alt.Title(
                    note or "the same scale", fontSize=10, fontWeight="normal", color="#555555"
                ),
            )
        )
    chart = alt.concat(*panels, columns=3, align="none").resolve_scale(color="shared")
    source = f"{len(agreement.panel):,} documents; colors are shares of the grade of {reference}"
    return stated(chart, _most_alike(agreement), source, letters=70)


def _most_alike(agreement: JudgeAgreement) -> str:
    """Say which judge gives the grade of the reference most often."""
    reference, shares = agreement.panel.reference, dict[str, float]()
    for name in agreement.panel.others:
        table = agreement.confusion(reference, name)
        shares[name] = float(table.trace() / max(table.sum(), 1))
    best = max(shares, key=shares.__getitem__)
    return f"{best} agrees most with {reference}: on {shares[best]:.0%} of the documents"


def bias_by_topic(agreement: JudgeAgreement) -> Any:
    """Draw how much higher or lower than the reference each judge grades each topic.

    Topics that judges grade lowest, compared with the reference, come first.
    """
    panel = agreement.panel
    frame = agreement.by_topic.filter(judge_a=panel.reference).rename({"judge_b": "judge"})
    means = frame.group_by("topic").agg(_mean("bias")).sort("bias", "topic")
    domain = panel.others
    scale = alt.Scale(domain=domain)
    points = (
        alt.Chart(frame)
        .mark_point(filled=True, size=40, opacity=0.85)
        .encode(
            x=alt.X("bias:Q", title=f"mean grade less that of {panel.reference}"),
            y=alt.Y("topic:N", sort=means["topic"].to_list(), title=None),
            color=alt.Color("judge:N", title=None, scale=scale),
            shape=alt.Shape("judge:N", title=None, scale=scale),
            tooltip=["topic:N", "judge:N", alt.Tooltip("bias:Q", format=".3f"), "documents:Q"],
        )
    )
    chart = alt.layer(zero_rule(), points).properties(width=380, height=alt.Step(13))
    return stated(chart, _most_biased(frame, panel.reference), _generous(panel), letters=62)


def _generous(panel: "Panel") -> str:
    return f"Mean grade of each judge less that of {panel.reference}, on {len(panel.topics)} topics"


def _most_biased(frame: "pl.DataFrame", reference: str) -> str:
    """Say which judge is most generous or most strict."""
    means = frame.group_by("judge", maintain_order=True).agg(_mean("bias"))
    most = max(means.iter_rows(named=True), key=lambda row: abs(row["bias"]))
    own = frame.filter(judge=most["judge"])["bias"]
    side, count = ("higher", (own > 0).sum()) if most["bias"] > 0 else ("lower", (own < 0).sum())
    return f"{most['judge']} grades {side} than {reference} on {count} of {len(own)} topics"


def rank_flips(effect: JudgeEffect, measure: str | None = None) -> Any:
    """Draw how runs change places between the reference and each other judge.

    `measure` is one of the studied ones; the first if not given. The run that moves most is
    highlighted.
    """
    name = effect.measures[0] if measure is None else measure
    if name not in effect.measures:
        raise OptionError(f"{name} was not studied (studied: {', '.join(effect.measures)})")
    before = effect.ranks(name)
    rows = []
    for judge in effect.judges:
        after = effect.ranks(name, judge)
        for run, first, second in zip(effect.values.runs, before, after, strict=True):
            moved = int(abs(second - first))
            most = moved == abs(after - before).max() and moved > 0
            kind = "moves most" if most else "moves" if moved else "stays"
            rows += [
                (judge, run, kind, side, int(rank))
                for side, rank in ((effect.reference, first), ("judge", second))
            ]
    frame = pl.DataFrame(rows, schema=["judge", "run", "kind", "side", "rank"], orient="row")
    kinds = ["moves most", "moves", "stays"]
    color = alt.Color(
        "kind:N",
        title=None,
        sort=kinds,
        scale=alt.Scale(domain=kinds, range=[COLORS[1], COLORS[0], "#bbbbbb"]),
    )
    ranks = alt.Scale(domain=[1, len(effect.values.runs)], nice=False, reverse=True)
    base = alt.Chart(frame).encode(
        x=alt.X(
            "side:N", sort=[effect.reference, "judge"], title=None, axis=alt.Axis(labelAngle=0)
        ),
        y=alt.Y("rank:Q", scale=ranks, title="rank", axis=alt.Axis(tickMinStep=1)),
        color=color,
        detail="run:N",
        tooltip=["run:N", "judge:N", "rank:Q"],
    )
    chart = (
        alt.layer(base.mark_line(opacity=0.7), base.mark_point(filled=True, size=18))
        .properties(width=120, height=max(160, 8 * len(effect.values.runs)))
        .facet(facet=alt.Facet("judge:N", title=None, sort=list(effect.judges)), columns=3)
    )
    source = (
        f"Ranks of {len(effect.values.runs)} runs by {name}, {len(effect.values.topics)} topics"
    )
    return stated(
        chart, _most_flipped(effect, name), source, letters=26 * min(3, len(effect.judges))
    )


def _most_flipped(effect: JudgeEffect, name: str) -> str:
    """Say under which judge most runs change places."""
    before = effect.ranks(name)
    moved = {judge: int((effect.ranks(name, judge) != before).sum()) for judge in effect.judges}
    most = max(moved, key=moved.__getitem__)
    return f"Under {most}, {moved[most]} of {len(before)} runs change places"


def measure_steadiness(effect: JudgeEffect) -> Any:
    """Draw how little each measure's ranking of runs depends on who judges, with intervals.

    τ and τ_AP are means over the judges, each compared with the reference.
    """
    frame = effect.by_measure
    kinds = {"tau": "τ", "tau_ap": "τ AP"}
    rows = pl.concat(
        frame.select(
            "measure",
            pl.lit(kinds[kind]).alias("kind"),
            pl.col(kind).alias("value"),
            pl.col(f"{kind}_low").alias("low"),
            pl.col(f"{kind}_high").alias("high"),
        )
        for kind in kinds
    )
    base = alt.Chart(rows).encode(
        y=alt.Y(
            "measure:N",
            sort=frame["measure"].to_list(),
            title=None,
            axis=alt.Axis(labelLimit=260),
        ),
        yOffset=alt.YOffset("kind:N", sort=list(kinds.values())),
        color=alt.Color("kind:N", title=None, sort=list(kinds.values())),
    )
    about = f"correlation with the ranking under {effect.reference}"
    chart = alt.layer(
        base.mark_rule().encode(
            x=alt.X(
                "low:Q",
                title=about,
                scale=alt.Scale(zero=False),
                axis=alt.Axis(format=".2f", tickCount=6, labelOverlap=True),
            ),
            x2="high:Q",
        ),
        base.mark_point(filled=True, size=45).encode(x="value:Q"),
    )
    first, last = frame.row(0, named=True), frame.row(-1, named=True)
    finding = f"{first['measure']} depends least on who judges, with τ {first['tau']:.2f}"
    if len(frame) > 1:
        finding += f"; {last['measure']} most, {last['tau']:.2f}"
    source = (
        f"Means over {len(effect.judges)} judges, {len(effect.values.runs)} runs, "
        f"{len(effect.values.topics)} topics, {effect.level:.0%} intervals"
    )
    sized = chart.properties(width=360, height=alt.Step(13))
    return stated(sized, finding, source, letters=66)


def width_curves(coverage: PoweredCoverage) -> Any:
    """Draw the width of intervals against the number of topics that people judge.

    With the model's labels and without them, for these topics and for future topics.
    """
    frame = coverage.frame
    kinds = {"width": f"with {coverage.model}", "alone_width": f"{coverage.people} alone"}
    rows = pl.concat(
        frame.select(
            "measure",
            pl.col("target").replace_strict({n: each.title for n, each in TARGETS.items()}),
            "topics",
            "labels",
            pl.lit(label).alias("labels of"),
            pl.col(column).alias("width"),
        )
        for column, label in kinds.items()
    )
    measures = [str(measure) for measure in coverage.measures]
    chart = (
        alt.Chart(rows)
        .mark_line(point=alt.OverlayMarkDef(size=22))
        .encode(
            x=alt.X("topics:Q", title=f"topics judged by {coverage.people}"),
            y=alt.Y("width:Q", title=f"mean width of {coverage.level:.0%} intervals"),
            tooltip=["measure:N", "topics:Q", "labels:Q", alt.Tooltip("width:Q", format=".4f")],
            **by_measure(list(kinds.values()), "labels of"),
        )
        .properties(width=210, height=170)
        .facet(
            column=alt.Column("target:N", title=None),
            row=alt.Row("measure:N", title=None, sort=measures),
        )
    )
    finding = _gain_in_width(frame, coverage)
    source = (
        f"{coverage.topics} topics in total, {len(coverage.runs)} runs, {coverage.resamples} "
        "resamplings"
    )
    return stated(chart, finding, source, letters=74)


def _mean(column: str) -> "pl.Expr":

    return pl.col(column).mean()


def _gain_in_width(frame: "pl.DataFrame", coverage: PoweredCoverage) -> str:
    """Say what a model's labels do to intervals, with the fewest topics and where they do most."""
    means = frame.group_by("topics").agg(gain=(1 - pl.col("width") / pl.col("alone_width")).mean())
    gains = dict(means.iter_rows())
    fewest, best = min(gains), max(gains, key=lambda number: gains[number])

    def told(number: int) -> str:
        return f"{abs(gains[number]):.0%} {'narrower' if gains[number] > 0 else 'wider'}"

    more = "" if best == fewest else f", {told(best)} with {best}"
    return (
        f"The labels of {coverage.model} make intervals {told(fewest)} with {fewest} topics judged "
        f"by {coverage.people}{more}"
    )
