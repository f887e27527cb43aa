"""What holds for MED whatever the lists and judgments are."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw

DOCUMENTS = [f"d{i}" for i in range(8)]
SCALE = [1, 2]
CLOSE = 1e-12
LISTS = st.permutations(DOCUMENTS).flatmap(
    lambda order: st.integers(1, 6).map(lambda length: list(order[:length]))
)
JUDGMENTS = st.dictionaries(
    st.sampled_from([*DOCUMENTS, "outside1", "outside2"]), st.sampled_from([-1, 0, 1, 2])
).map(lambda judged: {**judged, "judged": 0})
EXACT = ["P@4", "SDCG@4", "RR", "nDCG@4", "nDCG", "SSP@4", "AP@4", "AP", "AP(rel=2)", "ERR@5"]
MEASURES = [*EXACT, "AP(norm='min(k,R)')@4", "RBP", "GAP", "eGAP", "Q", "GenAP"]
FEW = settings(max_examples=8, deadline=None)


def _run(ranking: list[str]) -> dict[str, dict[str, float]]:
    return {"t": {document: 50.0 - n for n, document in enumerate(ranking)}}


def _med(a: list[str], b: list[str], judged: dict[str, int], measure: str, **options: Any) -> Any:
    result = gw.distance.med(_run(a), _run(b), {"t": judged}, measure, grades=SCALE, **options)
    return result["t"]


@pytest.mark.parametrize("measure", MEASURES)
@FEW
@given(a=LISTS, b=LISTS, judged=JUDGMENTS)
def test_symmetric(measure: str, a: list[str], b: list[str], judged: dict[str, int]) -> None:
    one, other = _med(a, b, judged, measure), _med(b, a, judged, measure)
    assert one.value == pytest.approx(other.value, abs=CLOSE)
    assert one.upper == pytest.approx(other.upper, abs=CLOSE)
    assert one.known == pytest.approx(-other.known, abs=CLOSE)
    assert one.a_over_b == pytest.approx(other.b_over_a, abs=CLOSE)
    assert one.b_over_a == pytest.approx(other.a_over_b, abs=CLOSE)


@pytest.mark.parametrize("measure", MEASURES)
@FEW
@given(a=LISTS, judged=JUDGMENTS)
def test_nothing_between_equal_lists(measure: str, a: list[str], judged: dict[str, int]) -> None:
    found = _med(a, a, judged, measure)
    if measure == "RBP":  # what follows the lists is unknown
        assert found.value == found.residual == pytest.approx(0.8 ** len(a), abs=CLOSE)
    else:
        assert (found.value, found.upper, found.winner) == (0, 0, None)


@pytest.mark.parametrize("measure", MEASURES)
@FEW
@given(a=LISTS, b=LISTS, judged=JUDGMENTS, names=st.permutations(range(8)))
def test_names_do_not_matter(
    measure: str, a: list[str], b: list[str], judged: dict[str, int], names: list[int]
) -> None:
    new = {old: f"é{name}" for old, name in zip(DOCUMENTS, names, strict=True)}

    def renamed(ranking: list[str]) -> list[str]:
        return [new[document] for document in ranking]

    before = _med(a, b, judged, measure)
    after = _med(
        renamed(a), renamed(b), {new.get(d, d): grade for d, grade in judged.items()}, measure
    )
    assert after.value == pytest.approx(before.value, abs=CLOSE)
    assert after.upper == pytest.approx(before.upper, abs=CLOSE)


@pytest.mark.parametrize("measure", MEASURES)
@FEW
@given(a=LISTS, b=LISTS, judged=JUDGMENTS, data=st.data())
def test_judging_more_never_brings_more(
    measure: str, a: list[str], b: list[str], judged: dict[str, int], data: st.DataObject
) -> None:
    free = sorted({d for d in [*a, *b] if d not in judged})
    more = data.draw(
        st.dictionaries(st.sampled_from(free or ["d0"]), st.sampled_from([-1, 0, 1, 2]))
    )
    more = {document: grade for document, grade in more.items() if document in free}
    before, after = _med(a, b, judged, measure), _med(a, b, {**judged, **more}, measure)
    assert after.lower <= before.upper + CLOSE
    if before.exact and after.exact:
        assert after.value <= before.value + CLOSE


@pytest.mark.parametrize("measure", MEASURES)
@FEW
@given(a=LISTS, b=LISTS, judged=JUDGMENTS)
def test_known_difference_is_within(
    measure: str, a: list[str], b: list[str], judged: dict[str, int]
) -> None:
    found = _med(a, b, judged, measure)
    assert abs(found.known) <= found.upper + CLOSE
    assert found.known <= found.a_over_b + CLOSE
    assert -found.known <= found.b_over_a + CLOSE
    assert found.lower <= found.upper


@pytest.mark.parametrize("k", [1, 2, 4, 6])
@settings(max_examples=30, deadline=None)
@given(a=LISTS, b=LISTS, judged=JUDGMENTS)
def test_ap_by_the_smaller_is_the_larger_of_two(
    k: int, a: list[str], b: list[str], judged: dict[str, int]
) -> None:
    smaller = _med(a, b, judged, f"AP(norm='min(k,R)')@{k}").value
    larger = max(_med(a, b, judged, f"AP@{k}").value, _med(a, b, judged, f"SSP@{k}").value)
    assert smaller == pytest.approx(larger, abs=CLOSE)


@pytest.mark.parametrize("measure", MEASURES)
@FEW
@given(a=LISTS, b=LISTS, judged=JUDGMENTS, k=st.integers(1, 7))
def test_k_cuts_the_lists(
    measure: str, a: list[str], b: list[str], judged: dict[str, int], k: int
) -> None:
    option = _med(a, b, judged, measure, k=k)
    shorter = _med(a[:k], b[:k], judged, measure)
    assert option.value == pytest.approx(shorter.value, abs=CLOSE)
    assert option.upper == pytest.approx(shorter.upper, abs=CLOSE)
