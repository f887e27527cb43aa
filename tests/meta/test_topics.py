"""Rules for topics, against Python's own reading of them, and the choice of runs."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gradewise as gw
from gradewise.errors import GradewiseError
from gradewise.meta import choose_topics
from gradewise.meta.topics import choose_runs

often = settings(max_examples=150, deadline=None, derandomize=True)

# How many documents of grades 1, 2 and 4 each topic has; there is no grade 3.
COUNTS = {
    "10": (10, 1, 0),
    "9": (20, 2, 1),
    "101": (9, 1, 3),
    "8": (0, 0, 2),
    "11": (3, 3, 3),
    "12": (0, 0, 0),
    "100": (30, 0, 1),
}
ORDER = sorted(COUNTS, key=int)  # topics that are numbers are reported as such
EXAMPLE = r"expected one such as 'R\(1\) >= 10 \* R\(2\) > 0'$"


@pytest.fixture(scope="module")
def judged() -> gw.Judged:
    qrels = {}
    for topic, (one, two, four) in COUNTS.items():
        grades = [1] * one + [2] * two + [4] * four + [0] * 5 + [-1] * 7
        qrels[topic] = {f"d{number}": grade for number, grade in enumerate(grades)}
    return gw.judge(qrels, {"r": {"10": {"d0": 1.0}}})


def by_python(rule: str) -> list[bool]:
    """Let Python itself decide for each topic, R and RB being functions."""
    chosen = []
    for topic in ORDER:
        numbers = dict(zip((1, 2, 4), COUNTS[topic], strict=True))

        def exactly(grade: int, numbers: dict[int, int] = numbers) -> int:
            return numbers[grade]

        def at_least(grade: int, numbers: dict[int, int] = numbers) -> int:
            return sum(count for other, count in numbers.items() if other >= grade)

        chosen.append(bool(eval(rule, {"R": exactly, "RB": at_least})))
    return chosen


NAMED: list[tuple[str, Callable[[int, int, int], bool]]] = [
    # The two rules of Ferrante et al. (2014), section 4, case (b)
    ("R(1) >= 10 * R(2) > 0", lambda a, b, c: a >= 10 * b and b > 0),
    ("R(1) >= 10*R(4) and R(4) != 0", lambda a, b, c: a >= 10 * c and c != 0),
    ("R(2) > 0", lambda a, b, c: b > 0),
    ("RB(2) == 3", lambda a, b, c: b + c == 3),
    ("RB(1) >= 12", lambda a, b, c: a + b + c >= 12),
    ("R(1) + R(2) * R(4) < 12", lambda a, b, c: a + b * c < 12),
    ("(R(1) + R(2)) * R(4) < 12", lambda a, b, c: (a + b) * c < 12),
    ("R(1) - R(2) - R(4) <= 0", lambda a, b, c: a - b - c <= 0),
    ("R(1) - (R(2) - R(4)) <= 0", lambda a, b, c: a - (b - c) <= 0),
    ("not R(1) > 9", lambda a, b, c: not a > 9),
    ("R(1) > 9 or R(4) == 2 and R(2) > 0", lambda a, b, c: a > 9 or (c == 2 and b > 0)),
    ("(R(1) > 9 or R(4) == 2) and R(2) == 0", lambda a, b, c: (a > 9 or c == 2) and b == 0),
    ("0.5 * R(1) > 4.5", lambda a, b, c: a / 2 > 4.5),
    ("R(4) < 3 > R(2) < R(1)", lambda a, b, c: c < 3 and b < 3 and b < a),
    ("  RB(4) != R(2)  ", lambda a, b, c: c != b),
]


@pytest.mark.parametrize(("rule", "literal"), NAMED, ids=[rule for rule, _ in NAMED])
def test_rules_as_typed_out(
    judged: gw.Judged, rule: str, literal: Callable[[int, int, int], bool]
) -> None:
    expected = [literal(*COUNTS[topic]) for topic in ORDER]
    assert True in expected
    assert False in expected
    assert judged.topics == tuple(ORDER)
    assert choose_topics(judged, rule).tolist() == expected
    assert by_python(rule.strip()) == expected


def test_no_rule_chooses_all(judged: gw.Judged) -> None:
    assert choose_topics(judged, None).tolist() == [True] * len(COUNTS)


numbers = st.one_of(
    st.builds("{}({})".format, st.sampled_from(["R", "RB"]), st.sampled_from([1, 2, 4])),
    st.sampled_from(["0", "1", "2", "3", "9", "10", "2.5"]),
)
sums = st.recursive(
    numbers,
    lambda part: st.one_of(
        st.builds("{} {} {}".format, part, st.sampled_from("+-*"), part),
        st.builds("({})".format, part),
    ),
    max_leaves=4,
)
signs = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
comparisons = st.one_of(
    st.builds("{} {} {}".format, sums, signs, sums),
    st.builds("{} {} {} {} {}".format, sums, signs, sums, signs, sums),
)
rules = st.recursive(
    comparisons,
    lambda part: st.one_of(
        st.builds("{} {} {}".format, part, st.sampled_from(["and", "or"]), part),
        st.builds("not {}".format, part),
        st.builds("({})".format, part),
    ),
    max_leaves=5,
)


@often
@given(rule=rules)
def test_any_rule_as_python_reads_it(judged: gw.Judged, rule: str) -> None:
    expected = by_python(rule)
    if True in expected:
        assert choose_topics(judged, rule).tolist() == expected
    else:
        with pytest.raises(GradewiseError, match="selects none of 7 topics"):
            choose_topics(judged, rule)


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "   ",
        "R(1) >",
        "R(1) > 0)",
        "((R(1) > 0)",
        "R(1) > 0; R(2) > 0",
        "R(1) = 2",
        "x = 2",
        "R(1) => 2",
        "R > 0",
        "R() > 0",
        "R(1, 2) > 0",
        "R(*[1]) > 0",
        "R('1') > 0",
        "R(1.0) > 0",
        "R(R(1)) > 0",
        "r(1) > 0",
        "N(1) > 0",
        "R(1) > 'many'",
        "R(1) > None",
        "R(1) > 1j",
        "R(1) / 2 > 1",
        "R(1) ** 9 > 1",
        "R(1) % 2 == 1",
        "R(1) & R(2) > 1",
        "R(1) in [1, 2]",
        "R(1) is 3",
        "R(1) > 0 if R(2) else R(4)",
        "[R(1) > 0]",
        "{R(1)}",
        "lambda: R(1) > 0",
        "(y := R(1)) > 0",
        "f'{R(1)}'",
        "R(1).sum() > 0",
        "R(1).__class__",
        "R(1)[0] > 0",
        "topics",
        "__import__('os')",
        "__import__('os').getcwd() > 0",
        "().__class__.__bases__[0].__subclasses__()",
        "print(R(1)) > 0",
        "exec('1')",
        "\0",
    ],
)
def test_what_is_no_rule(judged: gw.Judged, rule: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(GradewiseError, match=f"is not a rule for topics; {EXAMPLE}") as caught:
        choose_topics(judged, rule)
    assert str(caught.value).startswith(repr(rule))
    assert "\n" not in str(caught.value)
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("rule", ["R(1)", "RB(2) + 1", "3", "R(1) * R(2) - R(4)"])
def test_a_rule_that_compares_nothing(judged: gw.Judged, rule: str) -> None:
    with pytest.raises(
        GradewiseError, match="is not a comparison; expected a rule such as"
    ) as caught:
        choose_topics(judged, rule)
    assert str(caught.value).startswith(repr(rule))


@pytest.mark.parametrize("rule", ["R(1) > 30", "R(1) < R(2) < R(1)", "not RB(1) >= 0", "1 > 2"])
def test_a_rule_that_chooses_no_topic(judged: gw.Judged, rule: str) -> None:
    with pytest.raises(GradewiseError, match=r"selects none of 7 topics$"):
        choose_topics(judged, rule)


@pytest.mark.parametrize("name", ["R", "RB"])
@pytest.mark.parametrize("grade", [3, 5, 100])
def test_an_unknown_grade(judged: gw.Judged, name: str, grade: int) -> None:
    message = rf"^{name}\({grade}\): no document has grade {grade}; the grades are 1, 2, 4$"
    with pytest.raises(GradewiseError, match=message):
        choose_topics(judged, f"{name}({grade}) > 0")


@pytest.mark.parametrize(
    "rule",
    [
        "(R(1) > 0) - (R(2) > 0) > 0",
        "(R(1) > 0) - (R(2) > 0)",
        "not " * 5000 + "R(1) > 0",
        "R(1) > " + "1 + " * 5000 + "1",
    ],
    ids=["minus of answers compared", "minus of answers", "nots", "sums"],
)
def test_what_is_no_rule_and_escapes(judged: gw.Judged, rule: str) -> None:
    with pytest.raises(GradewiseError):
        choose_topics(judged, rule)


@pytest.mark.parametrize(
    "rule", ["True", "R(True) > 0", "R(1, x=2) > 0", "R(1) > 0 and R(2)", "not R(2)"]
)
def test_what_is_no_rule_and_is_accepted(judged: gw.Judged, rule: str) -> None:
    with pytest.raises(GradewiseError):
        choose_topics(judged, rule)


# Runs


def test_runs_at_or_above_a_quantile() -> None:
    means = np.array([0.4, 0.1, 0.5, 0.2, 0.3])
    assert choose_runs(means, 0.0).tolist() == [True] * 5
    assert choose_runs(means, 0.25).tolist() == [True, False, True, True, True]
    assert choose_runs(means, 0.5).tolist() == [True, False, True, False, True]
    assert choose_runs(means, 0.6).tolist() == [True, False, True, False, False]
    assert choose_runs(np.full(4, 0.3), 0.9).tolist() == [True] * 4


@pytest.mark.parametrize(("runs", "above"), [(95, 71), (74, 55), (27, 20)])
def test_runs_above_the_first_quartile_in_table_1(runs: int, above: int) -> None:
    """Ferrante et al. (2014), Table 1: runs, and runs above 1Q in terms of MAP."""
    means = np.random.default_rng(runs).random(runs)
    chosen = choose_runs(means, 0.25)
    assert chosen.sum() == above
    assert means[chosen].min() > means[~chosen].max()


def test_too_few_runs() -> None:
    with pytest.raises(GradewiseError, match=r"at least 2 runs, but there is 1 run$"):
        choose_runs(np.array([0.5]), 0.0)
    with pytest.raises(GradewiseError, match=r"at least 2 runs, but there is 1 run$"):
        choose_runs(np.array([0.1, 0.2, 0.3]), 0.9)


@pytest.mark.parametrize("quantile", [-0.1, 1.0, 25, float("nan")])
def test_a_quantile_that_is_none(quantile: float) -> None:
    with pytest.raises(GradewiseError, match="the quantile must be between 0 and 1, not"):
        choose_runs(np.array([0.1, 0.2, 0.3]), quantile)


def test_the_run_at_the_quantile_stays() -> None:
    assert choose_runs(np.arange(26.0), 0.28).tolist() == [place >= 7 for place in range(26)]
