"""Preference judgments: their file, what follows from them, and the measures."""

import io
import random
from itertools import product
from pathlib import Path

import pytest

import gradewise as gw
from command import Call
from gradewise.errors import GradewiseError, InputError
from oracles import preferences as oracle
from parity.material import gradewise_values

MEASURES = {
    "ppref": oracle.ppref,
    "rpref": oracle.rpref,
    "wpref": oracle.wpref,
    "nwpref": oracle.nwpref,
}


def read(text: str) -> gw.Qrels:
    return gw.read_preferences(io.BytesIO(text.encode()))


def pairs_of(qrels: gw.Qrels) -> set[tuple[str, str, str]]:
    """Return (topic, better, worse) of all preferences."""
    assert qrels.preferences is not None
    topics, docs = qrels.topic_column(), qrels.docs.to_list()
    rows = zip(qrels.preferences.better.tolist(), qrels.preferences.worse.tolist(), strict=True)
    return {(topics[better], docs[better], docs[worse]) for better, worse in rows}


def follow(lines: list[tuple[str, str, str, int]]) -> set[tuple[str, str, str]]:
    """Give what follows from judgments, a step at a time: a transitive order, and bad documents."""
    strict, equal, bad = set(), set(), set()
    for topic, first, second, kind in lines:
        if kind in (-1, 1):
            strict.add((topic, first, second) if kind == -1 else (topic, second, first))
        elif kind == 0:
            equal |= {(topic, first, second), (topic, second, first)}
        else:
            bad.add((topic, first if kind == -2 else second))

    def closed(steps: set[tuple[str, str, str]]) -> set[tuple[str, str, str]]:
        while True:
            more = {(t, a, d) for (t, a, b), (u, c, d) in product(steps, steps) if (t, b) == (u, c)}
            if more <= steps:
                return steps
            steps = steps | more

    found = {(t, a, b) for t, a, b in closed(strict | equal) - closed(equal) if a != b}
    preferred = {(t, a) for t, a, _ in found}
    bad -= preferred | {(t, a) for t, a, _ in equal}
    return found | {(t, a, b) for (t, a), (u, b) in product(preferred, bad) if t == u}


def test_what_follows_from_judgments() -> None:
    text = "1 a b -1\n1 c b 1\n1 c d 0\n1 x NA -2\n1 NA y 2\n2 a b 1\n"
    assert pairs_of(read(text)) == {
        *[("1", "a", worse) for worse in "bcdxy"],
        *[("1", "b", worse) for worse in "cdxy"],
        ("2", "b", "a"),
    }


def draw(rng: random.Random) -> list[tuple[str, str, str, int]]:
    lines = []
    for topic in "12345":
        for _ in range(rng.randint(1, 14)):
            first, second = rng.sample("abcdefghij", 2)
            kind = rng.choice([-1, -1, -1, 1, 1, 0, -2, 2])
            first, second = (first if kind != 2 else "NA"), (second if kind != -2 else "NA")
            lines.append((topic, first, second, kind))
    return lines


@pytest.mark.parametrize("seed", range(15))
def test_measures_equal_the_literal_definitions(seed: int) -> None:
    rng = random.Random(seed)
    lines = draw(rng)
    rng.shuffle(lines)
    qrels = read("".join(f"{t} {a} {b} {kind}\n" for t, a, b, kind in lines))
    follows = follow(lines)
    assert pairs_of(qrels) == follows
    rankings = {t: rng.sample("abcdefghijuvw", rng.randint(1, 13)) for t in qrels.topics}
    run = {t: {d: -float(n) for n, d in enumerate(docs)} for t, docs in rankings.items()}
    names = [f"{name}{cut}" for name in MEASURES for cut in ("", "@3")]
    found = gradewise_values(qrels, run, [*names, "APpref"])
    for topic, ranking in rankings.items():
        pairs = [(a, b) for t, a, b in follows if t == topic]
        for name, literal in MEASURES.items():
            expected = literal(ranking, pairs)
            assert found[name][topic] == pytest.approx(expected, abs=1e-12)
            expected = literal(ranking, pairs, cutoff=3)
            assert found[f"{name}@3"][topic] == pytest.approx(expected, abs=1e-12)
        expected = oracle.ap_pref(ranking, pairs)
        assert found["APpref"][topic] == pytest.approx(expected, abs=1e-12)


def test_values_that_pairwise_pref_eval_prints() -> None:
    """small_expected_results.txt of J. Elsas' pairwise_pref_eval."""
    qrels = read("0 1 2 -1\n0 1 3 -1\n0 3 2 -1\n0 4 NA -2\n")
    printed = {
        "ppref@1": "1.0000",
        "ppref@5": "0.8000",
        "rpref@1": "0.6000",
        "rpref@5": "0.8000",
        "wpref@1": "3.0000",
        "wpref@5": "3.3869",
        "nwpref@1": "1.0000",
        "nwpref@5": "0.8714",
        "APpref": "0.9000",
    }
    found = gradewise_values(qrels, {"0": {"1": 100.0, "2": 99.0, "3": 98.0}}, printed)
    assert {name: f"{values['0']:.4f}" for name, values in found.items()} == printed


def test_several_runs() -> None:
    qrels = read("1 a b -1\n2 a b 1\n")
    runs = {
        "right": {"1": {"a": 2.0, "b": 1.0}, "2": {"b": 1.0}},
        "wrong": {"1": {"b": 1.0}, "2": {"a": 2.0, "x": 1.5, "b": 1.0}},
    }
    assert gw.evaluate(qrels, runs, ["ppref", "rpref"]).summary().tolist() == [[1, 1], [0, 0]]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("1 a b\n", "4 columns (topic document document preference)"),
        ("1 a b x\n", "the preference 'x' is not a whole number"),
        ("1 a b 3\n", "3 is not a preference; it must be -2, -1, 0, 1 or 2"),
    ],
)
def test_what_is_no_preference_is_refused(text: str, told: str) -> None:
    with pytest.raises(InputError) as caught:
        read(text)
    assert told in str(caught.value)


def test_the_command_reads_preferences(run: Call, tmp_path: Path) -> None:
    (tmp_path / "pairs").write_text("1 a b -1\n")
    (tmp_path / "run").write_text("1 Q0 b 1 2 x\n1 Q0 a 2 1 x\n")
    done = run("eval", tmp_path / "pairs", tmp_path / "run", "--preferences", "-m", "ppref")
    assert (done.code, done.err) == (0, "")
    assert done.out.split() == ["run", "ppref", "run", "0.0000"]


def test_documents_cannot_be_dropped_from_preferences() -> None:
    with pytest.raises(GradewiseError, match="only be removed from graded judgments"):
        gw.evaluate(read("1 a b -1\n"), {"1": {"a": 1.0}}, "ppref", residual={"1": {"a": 1}})
