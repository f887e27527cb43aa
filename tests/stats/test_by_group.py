"""Groups of topics: attributes, differences, intervals, interactions, against oracles."""

import math
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats as scipy_stats

import gradewise as gw
from gradewise.collection.attributes import MOST_GROUPS, Attribute, read_attributes
from gradewise.errors import InputError, OptionError
from gradewise.stats.interaction import interaction_test
from oracles import groups as oracle

TOPICS = [f"t{number}" for number in range(24)]
INTENTS = {topic: ("buy", "learn", "go")[place % 3] for place, topic in enumerate(TOPICS)}
LENGTHS = {topic: float(place * 7 % 11) for place, topic in enumerate(TOPICS)}
ATTRIBUTES = {t: {"intent": INTENTS[t], "length": LENGTHS[t]} for t in TOPICS}


def scores_of(values: dict[str, dict[str, float]], measure: str = "AP") -> gw.Scores:
    rows = [(run, t, measure, v) for run, held in values.items() for t, v in held.items()]
    return gw.read_scores(
        pl.DataFrame(rows, schema=["run", "topic", "measure", "value"], orient="row")
    )


@pytest.fixture(scope="module")
def values() -> dict[str, dict[str, float]]:
    """Three runs: the second is worse where people want to buy, and otherwise like the first."""
    rng = np.random.default_rng(4)
    first = {topic: float(value) for topic, value in zip(TOPICS, rng.random(24), strict=True)}
    loss = {"buy": 0.3, "learn": 0.0, "go": 0.02}
    second = {t: first[t] - loss[INTENTS[t]] + float(rng.normal(0, 0.05)) for t in TOPICS}
    third = {t: first[t] / 2 for t in TOPICS}
    return {"first": first, "second": second, "third": third}


def test_differences_and_intervals_of_groups(values: dict[str, dict[str, float]]) -> None:
    found = gw.compare_groups(scores_of(values), ATTRIBUTES, pair=("first", "second"), found=False)
    cut = oracle.terciles(LENGTHS)
    members = [[t for t in TOPICS if INTENTS[t] == name] for name in ("buy", "go", "learn")]
    members += [[t for t in TOPICS if cut[t] == part] for part in range(3)]
    rows = found.groups.rows(named=True)
    assert [row["attribute"] for row in rows] == ["intent"] * 3 + ["length"] * 3
    assert [row["group"] for row in rows][:3] == ["buy", "go", "learn"]
    for row, topics in zip(rows, members, strict=True):
        expected = oracle.group_difference(values["first"], values["second"], topics, 1 - 0.05 / 6)
        numbers = (row["difference"], row["low"], row["high"], row["p"])
        np.testing.assert_allclose(numbers, expected, atol=1e-12)
        assert row["p_corrected"] == pytest.approx(min(1, 6 * row["p"]))
        assert row["significant"] == (row["low"] > 0 or row["high"] < 0)  # they say the same
        assert row["size"] == len(topics) == row["wins"] + row["ties"] + row["losses"]
        assert row["mean_a"] == pytest.approx(np.mean([values["first"][t] for t in topics]))
    for row, column in zip(found.interactions.rows(named=True), (INTENTS, cut), strict=True):
        parts = [
            [values["first"][t] - values["second"][t] for t in TOPICS if column[t] == name]
            for name in sorted(set(column.values()), key=str)
        ]
        assert row["p"] == pytest.approx(oracle.welch(parts), abs=1e-12)
        assert row["p_corrected"] == pytest.approx(min(1, 2 * row["p"]))


def test_what_depends_on_the_group_is_told_from_what_does_not(
    values: dict[str, dict[str, float]],
) -> None:
    found = gw.compare_groups(scores_of(values), ATTRIBUTES, pair=("first", "second"), found=False)
    assert found.interactions["significant"].to_list() == [True, False]
    assert found.sentences()[0] == "AP: first is significantly better than second in 1 of 6 groups."
    assert found.sentences()[1].startswith(
        "The difference between first and second depends on intent (p < 0.0001); Welch's test"
    )
    lengths = {t: {"length": LENGTHS[t]} for t in TOPICS}
    alone = gw.compare_groups(scores_of(values), lengths, pair=("first", "second"), found=False)
    assert "No attribute changes the difference between first and second" in alone.sentences()[1]


def test_the_best_run_is_corrected_for_all_pairs(values: dict[str, dict[str, float]]) -> None:
    scores = scores_of(values)
    named = gw.compare_groups(scores, ATTRIBUTES, pair=("first", "third"), found=False)
    best = gw.compare_groups(scores, ATTRIBUTES, found=False).groups.filter(run_b="third")
    assert best["run_a"].unique().to_list() == ["first"]
    np.testing.assert_allclose(best["p"], named.groups["p"])
    np.testing.assert_allclose(best["p_corrected"], np.minimum(1, best["p"] * 6 * 3))
    all_of_best = gw.compare_groups(scores, ATTRIBUTES, found=False).interactions
    expected = np.minimum(1, all_of_best["p"] * 2 * 2)  # attributes and pairs that are compared
    np.testing.assert_allclose(all_of_best["p_corrected"], expected)
    based = gw.compare_groups(scores, ATTRIBUTES, baseline="third", found=False).groups
    np.testing.assert_allclose(based["p_corrected"], np.minimum(1, based["p"] * 6 * 2))
    assert based["run_b"].unique().to_list() == ["third"]


def test_who_wins_where(values: dict[str, dict[str, float]]) -> None:
    held = dict(values)
    held["second"] = {
        t: v + (0.2 if INTENTS[t] == "go" else 0) for t, v in values["second"].items()
    }
    attribute = {t: {"intent": INTENTS[t]} for t in TOPICS}
    found = gw.compare_groups(scores_of(held), attribute, found=False)
    frame = found.winners
    assert frame["best"].to_list()[:2] == ["first", "second"]
    go = frame.row(1, named=True)
    topics = [t for t in TOPICS if INTENTS[t] == "go"]
    test = scipy_stats.ttest_rel(*[[held[run][t] for t in topics] for run in ("second", "first")])
    assert go["p_corrected"] == pytest.approx(min(1, test.pvalue * 3 * 3))
    assert go["significant"]
    assert "second" in found.to_text()


def test_found_groups_halve_the_topics() -> None:
    sample = gw.simulate.collection(topics=20, runs=5, depth=50, seed=2)
    scores = gw.evaluate(sample.qrels, sample.runs, ["AP", "nDCG@10"])
    difficulty, relevant = gw.stats.found_groups(scores)
    medians = np.median(scores.values[:, :, 0], axis=0)
    expected = [int(value > np.median(medians)) for value in medians]
    assert difficulty.labels.tolist() == expected
    assert difficulty.groups == ("hard", "easy")
    counts = [sum(g == 2 for g in sample.qrels.to_dict()[t].values()) for t in scores.topics]
    assert relevant.labels.tolist() == [int(count > np.median(counts)) for count in counts]
    assert relevant.name == "number of grade 2 documents"
    saved = gw.read_scores(scores.per_topic)  # without judgments
    assert [each.name for each in gw.stats.found_groups(saved)] == ["difficulty"]


@given(
    st.lists(
        st.lists(st.floats(-1, 1, allow_subnormal=False), min_size=2, max_size=6),
        min_size=2,
        max_size=5,
    )
)
def test_interaction_is_welchs_test(groups: list[list[float]]) -> None:
    flat = np.concatenate(groups)
    label = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    members = label == np.arange(len(groups))[:, None]
    p = float(interaction_test(flat, members))
    spreads = [np.ptp(group) for group in groups]
    if min(spreads) > 1e-6:
        assert p == pytest.approx(oracle.welch(groups), abs=1e-9)
        if len(groups) == 2:  # then it is Welch's t-test
            peer = scipy_stats.ttest_ind(*groups, equal_var=False).pvalue
            assert p == pytest.approx(peer, abs=1e-9)
    elif max(spreads) == 0:
        assert p == (1 if np.ptp(flat) <= 2**-42 * np.abs(flat).max(initial=0) else 0)


def test_interaction_pools_where_a_group_does_not_vary() -> None:
    groups = [[0.1, 0.1, 0.1], [0.3, 0.1, 0.5, 0.2]]
    members = np.array([[1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 1, 1, 1, 1]], bool)
    p = float(interaction_test(np.concatenate(groups), members))
    assert p == pytest.approx(scipy_stats.f_oneway(*groups).pvalue, abs=1e-12)


def test_equal_runs_rarely_differ_on_a_group() -> None:
    """400 experiments with equally good runs: any group at .05 in no more than .05 + 2 errors."""
    rng, topics = np.random.default_rng(8), [str(number) for number in range(40)]
    labels = [Attribute(f"a{k}", ("x", "y"), rng.permutation(40) % 2) for k in range(4)]
    wrong = depends = 0
    for _ in range(400):
        easy = rng.beta(1, 2, 40)
        held = np.clip(easy + rng.normal(0, 0.15, (2, 40)) * easy, 0, 1)
        values = {
            run: dict(zip(topics, row, strict=True)) for run, row in zip("ab", held, strict=True)
        }
        found = gw.compare_groups(scores_of(values), labels, pair=("a", "b"), found=False)
        wrong += bool(found.parts[0].significant.any())
        depends += bool(found.parts[0].depends.any())
    assert wrong / 400 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)
    assert depends / 400 <= 0.05 + 2 * math.sqrt(0.05 * 0.95 / 400)


@given(st.lists(st.integers(0, 12), min_size=6, max_size=40))
def test_terciles_are_cut_as_defined(numbers: list[int]) -> None:
    topics = [f"t{place}" for place in range(len(numbers))]
    held = dict(zip(topics, map(float, numbers), strict=True))
    if len(set(numbers)) <= 3:
        return
    expected = oracle.terciles(held)
    try:
        (found,), _ = read_attributes({t: {"n": n} for t, n in held.items()}, topics)
    except InputError:  # there is one group of three topics or more, or none
        sizes = [list(expected.values()).count(part) for part in range(3)]
        large = sum(size >= 3 for size in sizes)
        assert large + (sum(size for size in sizes if size < 3) >= 3) < 2
        return
    for a in topics:
        for b in topics:
            both = found.labels[topics.index(a)], found.labels[topics.index(b)]
            if min(both) >= 0 and "(other)" not in found.groups:
                assert (both[0] == both[1]) == (expected[a] == expected[b])


def test_attributes_are_read_from_files_and_frames(tmp_path: Path) -> None:
    rows = [
        "1,buy,3",
        "2,learn,",
        "3,buy,9",
        "4,learn,2",
        "5,go,7",
        "6,buy,2",
        "7,learn,2",
        "9,go,1",
    ]
    text = "qid,intent,length\n" + "".join(f"{row}\n" for row in rows)
    (tmp_path / "a.csv").write_text("\ufeff" + text, encoding="utf-8")
    (tmp_path / "a.tsv").write_text(text.replace(",", "\t"))
    (tmp_path / "a.csv2").write_text(text.replace(",", ";"))
    frame = pl.read_csv(tmp_path / "a.csv")
    frame.write_parquet(tmp_path / "a.parquet")
    sources = [tmp_path / name for name in ("a.csv", "a.tsv", "a.csv2", "a.parquet")]
    frames: list[Any] = [frame, frame.lazy()]
    if find_spec("pandas") and find_spec("pyarrow"):  # which the oldest versions come without
        frames.append(frame.to_pandas())
    for source in (*sources, *frames):
        (intent, length), notes = read_attributes(source, ["1", "2", "3", "4", "5", "6", "7"])
        assert intent.groups == ("buy", "learn")
        assert intent.labels.tolist() == [0, 1, 0, 1, -1, 0, 1]  # one topic alone is no group
        assert intent.about == "1 value with few topics left out"
        # Of 2, 2, 2, 3, 7, 9, a third does not exceed 2, and two thirds do not exceed 3. 3 is one,
        # and 7 and 9 are two: both are put together.
        assert length.groups == ("2", "(other)")
        assert length.labels.tolist() == [1, -1, 1, 0, 1, 0, 0]
        assert any("left out 1 row for topics that were not scored" in note for note in notes)
        assert any("length: 1 topic without a value" in note for note in notes)


def test_rare_values_are_put_together() -> None:
    topics = [f"t{place}" for place in range(60)]
    held = {t: {"x": f"v{place // 4}"} for place, t in enumerate(topics)}
    (found,), _ = read_attributes(held, topics)
    assert len(found.groups) == MOST_GROUPS
    assert found.groups[-1] == "(other)"
    assert found.sizes.sum() == 60
    assert "merged" in found.about


@pytest.mark.parametrize(
    ("held", "message"),
    [
        (
            {"9": {"x": "a"}, "8": {"x": "b"}},
            "none of its topics were scored; its ids look like '9', those of the scores",
        ),
        ({"1": {"x": "a"}, "2": {"x": "a"}}, "no column splits the topics"),
        ({"1": "a"}, r"expected \{topic: \{attribute: value\}\}"),
        (3, "expected a path, a frame or a dictionary, not int"),
    ],
)
def test_what_is_no_attribute_is_refused(held: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_attributes(held, ["1", "2", "3"])


def test_files_that_are_no_attributes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("topic,x\n1,a\n1,b\n")
    with pytest.raises(InputError, match="two rows for topic '1'"):
        read_attributes(path, ["1"])
    path.write_text("topic\n1\n")
    with pytest.raises(InputError, match="at least one attribute, but the columns are topic"):
        read_attributes(path, ["1"])
    with pytest.raises(InputError, match="absent"):
        read_attributes(tmp_path / "absent.csv", ["1"])


def test_options_are_checked(values: dict[str, dict[str, float]]) -> None:
    scores = scores_of(values)
    with pytest.raises(OptionError, match="no run 'frist'; did you mean first"):
        gw.compare_groups(scores, pair=("frist", "second"))
    with pytest.raises(OptionError, match="not both"):
        gw.compare_groups(scores, pair=("first", "second"), baseline="third")
    with pytest.raises(OptionError, match="two different runs"):
        gw.compare_groups(scores, pair=("first", "first"))
    with pytest.raises(OptionError, match="there are no groups"):
        gw.compare_groups(scores, found=False)


def test_formats_hold_the_same_numbers(values: dict[str, dict[str, float]]) -> None:
    import json

    found = gw.compare_groups(scores_of(values), ATTRIBUTES, found=False)
    held = json.loads(found.to_json())
    assert len(held["groups"]) == len(found.groups) == 12
    assert found.to_csv().count("\n") == 13
    first = found.groups.row(0, named=True)
    for text in (found.to_text(), found.to_markdown(), found.to_latex(), found.to_html()):
        assert f"{first['difference']:+.4f}" in text
    assert len(found.to_text(pairs=True)) > len(found.to_text())
    assert repr(found) == "GroupComparison(3 runs, by intent, length, AP)"
