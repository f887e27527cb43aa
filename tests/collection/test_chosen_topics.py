"""Topics by file, ids, rule or pattern: what is chosen, what is kept of lists, what is refused."""

import gzip
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from gradewise.collection.topics import select_topics
from gradewise.errors import InputError, OptionError

TOPICS = ["1", "2", "10", "21", "q-7"]


def chosen(given: object) -> list[str]:
    kept = select_topics(TOPICS, given)  # type: ignore[arg-type]
    return [topic for topic, each in zip(TOPICS, kept, strict=True) if each]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("1", ["1"]),  # an id, not a pattern that also matches 10 and 21
        ("1,21", ["1", "21"]),
        ("21 , 2", ["2", "21"]),
        ("^2", ["2", "21"]),
        ("1$", ["1", "21"]),
        ("q", ["q-7"]),
        (".", TOPICS),
        (["10", "q-7"], ["10", "q-7"]),
        (("2",), ["2"]),
        ({"21", "1"}, ["1", "21"]),
    ],
)
def test_ids_and_patterns(given: object, expected: list[str]) -> None:
    assert chosen(given) == expected


def test_a_list_too_long_for_a_name_of_a_file() -> None:
    many = [f"topic-{number}" for number in range(200)]
    assert select_topics(many, ",".join(many[:100])).sum() == 100


@pytest.mark.parametrize(
    "text",
    [
        "10\n2\n",
        "2\n\n  10  \n",
        "# chosen by hand\n10 what is this about\n2\tanother\n",
        "10 0 doc1 1\n10 0 doc2 0\n2 0 doc1 1\n",  # qrels
        "<top>\n<num> Number: 2\n<title> x\n</top>\n<top>\n<num>10\n</top>\n",
        '<topics>\n<topic number="2"><query>x</query></topic>\n<topic number="10"/></topics>\n',
        "\ufeff2\r\n10\r\n",
    ],
)
def test_files(tmp_path: Path, text: str) -> None:
    path = tmp_path / "topics.txt"
    path.write_text(text, encoding="utf-8")
    assert chosen(path) == chosen(str(path)) == ["2", "10"]
    packed = tmp_path / "topics.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    assert chosen(packed) == ["2", "10"]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (["1", "q-8"], r"topics: there is no topic 'q-8'; did you mean q-7\? \(topics are 1, 2"),
        ("1,q-8", r"topics: there is no topic 'q-8'; did you mean q-7\?"),
        (["q-8", "q-9", "1"], r"'q-8'; did you mean q-7\? .*'q-9'.*\(2 of 3 are unknown\)"),
        ("^9", r"topics '\^9': there is no such file, and no topic matches \(topics are 1, 2"),
        ("q7", r"no topic matches; did you mean q-7\?"),
        ("(", "not a file, and not a regular expression"),
        ("", "no topics were given"),
        ("1\0", "no topic matches"),
        ("  ", "no topics were given"),
        ([], "no topics were given"),
        ("R(1) > 2", "counts judged documents, but there are no judgments"),
    ],
)
def test_what_is_refused(given: object, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        select_topics(TOPICS, given)  # type: ignore[arg-type]


def test_files_that_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "topics.txt"
    path.write_text("1\n22\n")
    with pytest.raises(OptionError, match=r"topics\.txt: there is no topic '22'; did you mean"):
        select_topics(TOPICS, path)
    path.write_text("\n# nothing\n")
    with pytest.raises(InputError, match="this file contains no topics"):
        select_topics(TOPICS, path)
    with pytest.raises(OptionError, match=r"did you mean topics\.txt\?"):
        select_topics(TOPICS, str(tmp_path / "topcs.txt"))
    with pytest.raises(InputError, match=r"no such file or directory\); did you mean topics"):
        select_topics(TOPICS, tmp_path / "topcs.txt")


@pytest.fixture(scope="module")
def sample() -> gw.simulate.Simulated:
    return gw.simulate.collection(topics=9, runs=3, depth=30, relevant=12, seed=5)


MEASURES = ["AP", "nDCG@10", "GAP", "Bpref", "RBP", "ERR@20", "infAP", "num_rel", "ADM"]


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("topics", ["^10[2-5]$", ["109", "101"], "R(2) >= 3"])
def test_values_are_those_of_the_same_topics_among_all(
    sample: gw.simulate.Simulated, topics: str | list[str], judged_only: bool
) -> None:
    whole = gw.evaluate(sample.qrels, sample.runs, MEASURES, judged_only=judged_only)
    some = gw.evaluate(sample.qrels, sample.runs, MEASURES, judged_only=judged_only, topics=topics)
    assert 0 < len(some.topics) < 9
    kept = [whole.topics.index(topic) for topic in some.topics]
    assert kept == sorted(kept)
    np.testing.assert_array_equal(some.values, whole.values[:, kept])
    later = whole.of_topics(topics)
    assert later.topics == some.topics
    np.testing.assert_array_equal(later.values, some.values)
    assert later.notes == some.notes == [f"kept {len(kept)} of 9 topics" + by(topics)]


def by(topics: str | list[str]) -> str:
    return f" ({topics})" if isinstance(topics, str) else ""


def test_intents_samples_and_preferences_of_some_topics(tmp_path: Path) -> None:
    by_intent = {
        "1": {"i": {"a": 1, "b": 0}, "j": {"b": 1}},
        "2": {"k": {"a": 1}},
        "3": {"i": {"c": 2}, "l": {"a": 1, "c": 1}},
    }
    run = {topic: {"b": 3.0, "c": 2.0, "a": 1.0} for topic in by_intent}
    sampled = tmp_path / "sampled.txt"
    sampled.write_text(
        "".join(
            f"{t} 0 {d} {s} {g}\n"
            for t in "123"
            for d, s, g in (("a", 1, 1), ("b", 2, 0), ("c", 2, 2 if t != "2" else -1))
        )
    )
    preferred = tmp_path / "preferences.txt"
    preferred.write_text(
        "".join(f"{t} a b -1\n{t} {'a' if t == '2' else 'b'} c 1\n" for t in "123")
    )
    for qrels, measures in (
        (by_intent, ["alpha_nDCG@2", "ERR_IA@2", "StRecall@1", "AP"]),
        (sampled, ["infNDCG", "AP"]),
        (gw.read_preferences(preferred), ["ppref", "rpref"]),
    ):
        whole = gw.evaluate(qrels, {"r": run}, measures)
        for topics in ("1,3", "2", "3"):
            some = gw.evaluate(qrels, {"r": run}, measures, topics=topics)
            kept = [whole.topics.index(topic) for topic in topics.split(",")]
            np.testing.assert_array_equal(some.values, whole.values[:, kept])


def test_coverage_is_that_of_the_topics_kept() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 0}, "3": {"b": 1}}
    run = {"1": {"a": 1.0}, "9": {"z": 1.0}}
    assert gw.evaluate(qrels, {"r": run}, "AP", topics="1,2").notes == [
        "kept 2 of 3 topics (1,2)",
        "r: 1 of 2 judged topics are missing from the run",
        "r: ignored 1 topic without judgments",
        "1 judged topic without a relevant document",
    ]


def test_named_sets(sample: gw.simulate.Simulated) -> None:
    scores = gw.evaluate(sample.qrels, sample.runs, "AP")
    sets = scores.by_topics({"first": "^10[1-4]$", "rest": "^10[5-9]$"})
    assert {name: len(each.topics) for name, each in sets.items()} == {"first": 4, "rest": 5}
    together = sum(len(each.topics) * each.summary() for each in sets.values())
    np.testing.assert_allclose(together / 9, scores.summary(), rtol=1e-12)


def test_studies_of_measures_take_the_same_topics(sample: gw.simulate.Simulated) -> None:
    judged = gw.judge(sample.qrels, sample.runs)
    found = gw.meta.correlation(judged, ["AP", "nDCG"], topics="^10[1-6]$", replicates=0)
    by_ids = gw.meta.correlation(
        judged, ["AP", "nDCG"], topics=[f"10{n}" for n in range(1, 7)], replicates=0
    )
    assert found.frame.equals(by_ids.frame)
