"""Yilmaz & Robertson 2010, section 3.1: which exchanges of two documents a measure notices."""

from collections.abc import Callable

from gradewise.collection.judged import Judged
from gradewise.meta.flips import flips
from gradewise.reproduce.result import Property, Section
from gradewise.reproduce.yilmaz_charts import dots
from gradewise.reproduce.yilmaz_sets import NDCG, NDCG_10, short
from gradewise.tables import Table

DEPTH = 100  # of the lists, whose exchanges are all tried
_MEASURES = (NDCG, "AP", NDCG_10, "P@10")  # by the paper, from few ignored exchanges to many


def flips_section(
    title: str, judged: Judged, progress: Callable[[int], None] | None = None
) -> Section:
    """Exchange any two documents of different grades in every list, and see what measures do."""
    found = flips(judged.cut(DEPTH), _MEASURES, progress=progress).frame
    ignored, wrong = (
        dict(zip(map(short, _MEASURES), found[column].to_list(), strict=True))
        for column in ("ignored", "wrong")
    )
    worst = max(wrong.values())
    rows = [[name, f"{ignored[name]:.1%}", f"{wrong[name]:.1%}"] for name in ignored]
    return Section(
        "table1",
        f"Yilmaz & Robertson (2010), Section 3.1 on {title}: exchanges of two documents of "
        f"different grades in the first {DEPTH} ranks, {found['flips'][0]:,} in all",
        Table(["", "ignored", "wrong direction"], rows),
        properties=(
            Property(
                "measures that respond to an exchange rise if the better document moves up",
                worst == 0,
                f"{worst:.1%} go the wrong way",
            ),
            Property(
                "nDCG responds to every exchange of documents of different grades",
                ignored["nDCG"] == 0,
                f"it ignores {ignored['nDCG']:.1%}",
            ),
            _fewer(ignored, "nDCG", "AP"),
            _fewer(ignored, "AP", "P@10"),
            _fewer(ignored, "nDCG@10", "P@10"),
        ),
        chart=lambda: dots(
            list(ignored),
            list(ignored.values()),
            [0.0] * len(ignored),
            "share of exchanges ignored",
            f"Exchanges that measures ignore, {title}",
        ),
    )


def _fewer(ignored: dict[str, float], first: str, other: str) -> Property:
    return Property(
        f"{first} responds to more exchanges than {other}, as the paper says",
        ignored[first] < ignored[other],
        f"it ignores {ignored[first]:.1%}, {other} {ignored[other]:.1%}",
        necessary=False,
    )
