"""Twenty thousand inputs; `tests/fuzz/run --inputs 1000000` checks more."""

import pytest

from fuzz.checking import check_numbers


@pytest.mark.slow
@pytest.mark.parametrize("part", range(10))
def test_inputs_are_read_as_they_say_or_refused(part: int) -> None:
    answers, findings = check_numbers(0, range(part * 2000, (part + 1) * 2000))
    assert findings == []
    assert answers["join: joined"] > 200
    assert answers["join: refused"] > 200
