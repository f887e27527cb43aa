"""Judgment noise: the variance of a run's values, from topics and from judgments."""

from typing import Any

from gradewise.meta.judgment_noise import JudgmentNoise
from gradewise.report.figures.theme import COLORS, themed

_PARTS = {"sigma_mu2": "topics differ", "sigma_d2": "judgments vary"}


def judgment_noise_figure(*noises: JudgmentNoise) -> Any:
    """Draw both parts of each run's variance, best run first, a panel for each measure."""
    import altair as alt

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
                    title=f"variance of {noise.measure} among topics",
                    axis=alt.Axis(tickCount=5),
                ),
                color=alt.Color(
                    "part:N",
                    title="because",
                    sort=None,
                    scale=alt.Scale(domain=list(_PARTS.values()), range=list(COLORS[:2])),
                ),
                order="place:Q",
            )
            .properties(width=320, height=alt.Step(18))
        )
    title = alt.Title("Where the variance of a run's values comes from", offset=12)
    return themed(alt.hconcat(*panels).properties(title=title))
