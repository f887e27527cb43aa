"""compare: frames, letters, tables and what it refuses."""

import re

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from polars.testing import assert_frame_equal
from scipy import stats as scipy_stats

import gradewise as gw
from gradewise.stats import compare as comparing
from gradewise.stats import letter_groups
from gradewise.stats.tests import TESTS, Test


@pytest.fixture(scope="module")
def scores() -> gw.Scores:
    sample = gw.simulate.collection(topics=25, runs=6, depth=60, seed=3)
    return gw.evaluate(sample.qrels, sample.runs, ["AP", "nDCG@10"])


def test_pairs_hold_what_scipy_and_counting_say(scores: gw.Scores) -> None:
    table = scores.per_topic
    for row in gw.compare(scores, correction="none").pairs.iter_rows(named=True):
        a, b = (
            table.filter((pl.col("run") == row[name]) & (pl.col("measure") == row["measure"]))[
                "value"
            ].to_numpy()
            for name in ("run_a", "run_b")
        )
        test = scipy_stats.ttest_rel(a, b)
        assert row["p"] == pytest.approx(test.pvalue, abs=1e-12)
        assert row["p_corrected"] == row["p"]
        interval = test.confidence_interval()
        assert (row["low"], row["high"]) == pytest.approx(tuple(interval), abs=1e-12)
        assert row["difference"] == pytest.approx(a.mean() - b.mean(), abs=1e-12)
        assert row["difference"] >= 0
        assert row["effect"] == pytest.approx((a - b).mean() / np.std(a - b, ddof=1))
        counts = (int((a > b).sum()), int((a == b).sum()), int((a < b).sum()))
        assert (row["wins"], row["ties"], row["losses"]) == counts


def test_all_pairs_and_order(scores: gw.Scores) -> None:
    comparison = gw.compare(scores)
    assert len(comparison.pairs) == 2 * 15
    for (_,), part in comparison.runs.group_by("measure"):
        assert part["mean"].is_sorted(descending=True)


def test_baseline_is_second_in_every_pair(scores: gw.Scores) -> None:
    comparison = gw.compare(scores, "run4", test="wilcoxon")
    assert comparison.pairs["run_b"].unique().to_list() == ["run4"]
    assert sorted(comparison.pairs.filter(measure="AP")["run_a"]) == [
        "run1",
        "run2",
        "run3",
        "run5",
        "run6",
    ]
    marked = comparison.runs.filter(measure="AP", group="*")["run"].to_list()
    significant = comparison.pairs.filter(measure="AP", significant=True)["run_a"].to_list()
    assert sorted(marked) == sorted(significant)


@pytest.mark.parametrize("test", [name for name, test in TESTS.items() if not test.joint])
def test_every_test_agrees_with_paired_p(scores: gw.Scores, test: Test) -> None:
    found = gw.compare(scores, "run1", test=test, replicates=200, seed=2).pairs
    for row in found.filter(measure="AP").iter_rows(named=True):
        a, b = scores.runs.index(row["run_a"]), scores.runs.index("run1")
        difference = scores.values[a, :, 0] - scores.values[b, :, 0]
        alone = gw.stats.paired_p(difference, test, replicates=200, seed=2)
        assert row["p"] == pytest.approx(float(alone), abs=1e-12)


@pytest.mark.parametrize("test", TESTS)
def test_blocks_of_pairs_change_nothing(
    scores: gw.Scores, test: Test, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = gw.compare(scores, test=test, interval="bootstrap", replicates=50)
    monkeypatch.setattr(comparing, "_BLOCK", 4 * len(scores.topics))  # 15 pairs, 4 at a time
    parts = gw.compare(scores, test=test, interval="bootstrap", replicates=50)
    assert_frame_equal(whole.pairs, parts.pairs)
    assert whole.runs.equals(parts.runs)


def test_tukey_has_no_further_correction(scores: gw.Scores) -> None:
    comparison = gw.compare(scores, test="tukey", correction="bonferroni", replicates=99)
    assert comparison.correction == "none"
    assert (comparison.pairs["p"] == comparison.pairs["p_corrected"]).all()


@given(st.integers(1, 7).flatmap(lambda n: st.lists(st.booleans(), min_size=n * n, max_size=n * n)))
def test_runs_share_a_letter_exactly_if_they_do_not_differ(bits: list[bool]) -> None:
    size = int(len(bits) ** 0.5)
    differs = np.triu(np.array(bits).reshape(size, size), 1)
    differs |= differs.T
    letters = [set(word) for word in letter_groups(differs)]
    for a in range(size):
        assert letters[a]
        for b in range(a):
            assert bool(letters[a] & letters[b]) != differs[a, b]
    # No letter could be left out: its runs are not all inside those of another.
    owners = {
        x: frozenset(r for r in range(size) if x in letters[r]) for x in set().union(*letters)
    }
    for x, mine in owners.items():
        assert not any(mine <= other for y, other in owners.items() if y != x)


def test_letters_of_many_runs() -> None:
    place = np.arange(143)
    letters = letter_groups(np.abs(place[:, None] - place[None, :]) > 20)
    assert len(letters) == 143
    assert letters[0] == "a"


def test_letters_when_groups_are_too_many_to_find() -> None:
    rng = np.random.default_rng(0)
    place = np.sort(rng.normal(size=143))
    noise = rng.normal(size=(143, 143))
    differs = np.abs(place[:, None] - place[None, :]) + 0.2 * (noise + noise.T) > 0.6
    np.fill_diagonal(differs, False)
    differs[7], differs[:, 7], differs[7, 7] = True, True, False  # alone
    letters = [set(re.findall(r"[a-z]\d*", word)) for word in letter_groups(differs)]
    shared = np.array([[bool(a & b) for b in letters] for a in letters])
    assert (shared == ~differs).all()


def test_tables_as_papers_print_them(scores: gw.Scores) -> None:
    found = gw.compare(scores, scores.runs[0])
    names = {scores.runs[0]: "BM25", "nDCG@10": "nDCG_10"}
    latex = found.to_latex(names=names, caption="Results.", label="tab:results")
    assert latex.startswith("\\begin{table}\n\\centering\n\\caption{Results. $\\dagger$ marks runs")
    assert "\\label{tab:results}" in latex
    assert "differ significantly from BM25" in latex
    assert "run & \\multicolumn{2}{c}{AP} & \\multicolumn{2}{c}{nDCG\\_10} \\\\" in latex
    for text in (found.to_markdown, found.to_html):
        shown = text(names=names, caption="Results", label="tab:results")
        assert 'id="tab:results"' in shown
        assert shown.index("Results") < shown.index("BM25")
        assert "differ significantly from BM25" in shown
    assert latex.count("\\textbf") == latex.count("\\underline") == 2  # one for each measure
    marked = int(found.pairs["significant"].sum())
    assert marked > 0
    assert latex.count("$^{\\dagger}$") == marked
    assert found.to_markdown(names=names).count(" †") == marked
    assert found.to_html(names=names).count(">†</sup>") == marked


def test_tables(scores: gw.Scores) -> None:
    comparison = gw.compare(scores)
    best, group = comparison.runs.select("run", "group").row(0)
    mean = comparison.runs["mean"][0]
    assert f"{best}  {mean:.4f}" in comparison.to_text()
    shown = f"\\textbf{{{mean:.3f}}} & $^{{\\mathrm{{{group}}}}}$"
    assert f"{best} & {shown} & " in comparison.to_latex(digits=3)
    assert f"| {best} | **{mean:.3f}** {group} |" in comparison.to_markdown(digits=3)
    assert len(comparison.to_csv().splitlines()) == 1 + 12
    assert len(comparison.to_csv(pairs=True).splitlines()) == 1 + 30
    told = " ".join(comparison.to_text(pairs=True).split())
    assert "paired t-test, Holm's correction over 15 pairs, alpha 0.05, 25 topics" in told


def test_one_run(scores: gw.Scores) -> None:
    one = gw.evaluate({"t": {"a": 1}, "u": {"b": 1}}, {"t": {"a": 1.0}, "u": {"b": 1.0}}, "AP")
    with pytest.raises(
        gw.GradewiseError, match="a comparison needs at least 2 runs, but there is 1 run"
    ):
        gw.compare(one)


def test_few_common_topics() -> None:
    runs = {"x": {"t": {"a": 1.0}, "u": {"b": 1.0}}, "y": {"t": {"a": 1.0}}}
    scores = gw.evaluate({"t": {"a": 1}, "u": {"b": 1}}, runs, "AP", missing="drop")
    with pytest.raises(
        gw.GradewiseError,
        match=r"AP: a comparison needs at least 2 topics .* 1$",
    ):
        gw.compare(scores)


def test_topics_not_in_all_runs_are_told() -> None:
    topic = {"a": 1.0, "b": 0.5}
    runs = {"x": {"t": topic, "u": topic, "v": topic}, "y": {"t": topic, "u": topic}}
    qrels = {"t": {"a": 1}, "u": {"b": 1}, "v": {"b": 1}}
    comparison = gw.compare(gw.evaluate(qrels, runs, "AP", missing="drop"))
    assert comparison.notes == ("AP: left out 1 topic not scored for all runs",)
    assert comparison.parts[0].topics == 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"baseline": "run9"}, "there is no run 'run9'; did you mean run"),
        ({"test": "welch"}, "test must be one of"),
        ({"correction": "holms"}, "did you mean holm"),
        ({"correction": "holms", "test": "tukey"}, "did you mean holm"),
        ({"replicates": 0, "test": "bootstrap"}, "replicates must be at least 1, not 0"),
        ({"alpha": 0}, "alpha must be between 0 and 1, not 0"),
        ({"level": 95}, "level must be between 0 and 1, not 95"),
        ({"interval": "z"}, "interval must be one of"),
    ],
)
def test_bad_options(scores: gw.Scores, options: dict[str, object], message: str) -> None:
    with pytest.raises(gw.GradewiseError, match=message):
        gw.compare(scores, **options)  # type: ignore[arg-type]


def test_geometric_means_are_refused() -> None:
    sample = gw.simulate.collection(topics=5, runs=2, depth=20, seed=3)
    scores = gw.evaluate(sample.qrels, sample.runs, "GMAP")
    with pytest.raises(gw.GradewiseError, match="GMAP is a geometric mean"):
        gw.compare(scores)
