"""Judgment noise: the variance of a run's values, from topics and from judgments."""

from typing import Any

from gradewise.libraries import alt
from gradewise.meta.judgment_noise import JudgmentNoise
from gradewise.report.figures.theme import COLORS, stated

_PARTS = {"sigma_mu2": "topics", "sigma_d2": "judgments"}


def judgment_noise_figure(*noises: JudgmentNoise) -> Any:
    """Draw both parts of each run's variance, best run first, a panel for each measure."""
    panels = []
    for noise in noises:
        frame = noise.frame.sort("mean", descending=True, maintain_order=True)
        rows = [
            {"run": row["run"], "part": label, "variance": row[name], "place": place}
            for row in frame.iter_rows(named=True)
            for place, (name, label) in enumerate(_PARTS.items())
        ]
        panels.append(
            alt.Chart(alt.InlineData(values=rows))
            .mark_bar()
            .encode(
                y=alt.Y(
                    "run:N",
                    sort=frame["run"].to_list(),
                    title=None,
                    axis=alt.Axis(labelLimit=260),
                ),
                x=alt.X(
                    "variance:Q",
                    title=f"variance of {noise.measure}",
                    axis=alt.Axis(tickCount=5),
                ),
                color=alt.Color(
                    "part:N",
                    title="source",
                    sort=None,
                    scale=alt.Scale(domain=list(_PARTS.values()), range=list(COLORS[:2])),
                ),
                order="place:Q",
            )
            .properties(width=320, height=alt.Step(18))
        )
    first = noises[0]
    share = first.sigma_d2 / (first.sigma_mu2 + first.sigma_d2)
    finding = (
        f"Judgments account for {share.max():.0%} at most of the variance of a run's "
        f"{first.measure}"
    )
    source = (
        f"{len(first.runs)} runs, {first.topics} topics, {first.replicates} sets of judgments; the "
        "rest comes from topics"
    )
    return stated(alt.hconcat(*panels), finding, source, letters=56 * len(noises))
