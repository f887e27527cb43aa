"""LETOR text: what a line may hold, what is wrong with it, and arrays in its place."""

import gzip
import io
import lzma
import random
from pathlib import Path

import numpy as np
import pytest

from gradewise.errors import GradewiseError, InputError, OptionError
from gradewise.learn.features import from_arrays
from gradewise.learn.letor import read_letor, write_letor

SAMPLE = (
    "# a comment, then a blank line\n\n"
    "2 qid:10 1:0.5 2:-1e-3 4:3 #docid = GX001 inc = 1 prob = 0.2\n"
    "0 qid:10\t3:7 # second\r\n"
    "1 qid:q-2 1:NULL 2:4\n"
    "0 qid:q-2 1:2 2:null\n"
    "0 qid:10 1:.25"
)


def test_a_file_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "sample.txt"
    path.write_text(SAMPLE)
    data = read_letor(path)
    assert data.topics == ("10", "q-2")
    assert data.offsets.tolist() == [0, 3, 5]
    assert data.docs == ("GX001", "second", "10-3", "q-2-1", "q-2-2")
    assert data.grades.tolist() == [2, 0, 0, 1, 0]
    expected = [[0.5, -1e-3, 0, 3], [0, 0, 7, 0], [0.25, 0, 0, 0], [2, 4, 0, 0], [2, 4, 0, 0]]
    assert data.features.tolist() == np.array(expected, np.float32).tolist()


def test_null_without_any_value_is_zero() -> None:
    data = read_letor(io.StringIO("1 qid:1 1:NULL\n0 qid:1 1:NULL 2:1\n0 qid:2 1:5\n"))
    assert data.features.tolist() == [[0, 0], [0, 1], [5, 0]]


@pytest.mark.parametrize("pack", [gzip.compress, lzma.compress])
def test_compression_is_told_by_content(tmp_path: Path, pack: object) -> None:
    path = tmp_path / "sample.txt"
    path.write_bytes(pack(SAMPLE.encode()))  # type: ignore[operator]
    assert len(read_letor(path).grades) == 5


def test_several_files_are_one(tmp_path: Path) -> None:
    for name in "ab":
        (tmp_path / name).write_text(f"1 qid:{name} 1:1\n0 qid:{name} 2:1\n")
    data = read_letor([tmp_path / "a", tmp_path / "b"])
    assert data.topics == ("a", "b")
    assert data.width == 2


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("x qid:1 1:2", "the grade 'x' is not a whole number"),
        ("1.5 qid:1 1:2", "the grade '1.5' is not a whole number"),
        ("1 1:2", "expected qid:TOPIC after the grade"),
        ("1", "expected qid:TOPIC after the grade"),
        ("1 qid: 1:2", "expected qid:TOPIC after the grade"),
        ("1 qid:1 1:2 3", "expected NUMBER:VALUE, found '3'"),
        ("1 qid:1 1:2:3", "expected NUMBER:VALUE, found '1:2:3'"),
        ("1 qid:1 :2", "expected NUMBER:VALUE, found ':2'"),
        ("1 qid:1 1:", "expected NUMBER:VALUE, found '1:'"),
        ("1 qid:1 0:2", "the feature '0' is not a whole number from 1 to 100,000"),
        ("1 qid:1 a:2", "the feature 'a' is not a whole number from 1 to 100,000"),
        ("1 qid:1 900000:2", "the feature '900000' is not a whole number from 1 to 100,000"),
        ("1 qid:1 1:nan", "the value 'nan' is not a finite number"),
        ("1 qid:1 1:inf", "the value 'inf' is not a finite number"),
        ("1 qid:1 1:1e39", "the value '1e39' is not a finite number"),
        ("1 qid:1 1:2 1:3", "feature 1 is given twice"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: str, reason: str) -> None:
    path = tmp_path / "bad.txt"
    path.write_text(f"0 qid:1 1:1 #a\n{line} #b\n")
    with pytest.raises(InputError) as caught:
        read_letor(path)
    assert str(caught.value).startswith(f"{path}:2: {reason}")


def test_all_bad_lines_are_named_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bad.txt"
    path.write_text("0 qid:1 1:1\nx qid:1 1:1\n0 1:1\n0 qid:1 q:1\n")
    with pytest.raises(InputError) as caught:
        read_letor(path)
    assert [problem.place for problem in caught.value.problems] == [
        f"{path}:{line}" for line in (2, 3, 4)
    ]


@pytest.mark.parametrize("content", ["", "\n\n", "# nothing\n"])
def test_nothing_to_read(tmp_path: Path, content: str) -> None:
    path = tmp_path / "empty.txt"
    path.write_text(content)
    with pytest.raises(InputError, match="empty"):
        read_letor(path)


def test_more_features_than_expected() -> None:
    with pytest.raises(InputError, match="found feature 3, but expected only 2 features"):
        read_letor(io.StringIO("1 qid:1 3:1\n"), width=2)
    assert read_letor(io.StringIO("1 qid:1 1:1\n"), width=2).width == 2


def _literal(text: str) -> tuple[list[int], list[dict[int, float]], list[str]]:
    """Read lines one by one, as the format is described."""
    grades, rows, topics = [], [], []
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words:
            grades.append(int(words[0]))
            topics.append(words[1].removeprefix("qid:"))
            pairs = (word.split(":") for word in words[2:])
            rows.append({int(number): float(value) for number, value in pairs})
    return grades, rows, topics


def test_random_files_equal_a_literal_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gradewise.collection.sources.blocks.BLOCK", 300)  # many blocks
    rng = random.Random(3)
    for _ in range(20):
        lines = []
        for number in range(rng.randint(1, 40)):
            chosen = sorted(rng.sample(range(1, 9), rng.randint(0, 6)))
            cells = [f"{k}:{rng.choice(['1', '0.5', '-2.25', '3e-2'])}" for k in chosen]
            gap = rng.choice([" ", "\t", "  "])
            tail = rng.choice(["", " #docid = é", "# x:1 y", f"#{number}"])
            lines.append(gap.join([str(rng.randint(0, 4)), f"qid:{number // 5}", *cells]) + tail)
        text = "\n".join(lines) + rng.choice(["", "\n"])
        grades, rows, topics = _literal(text)
        data = read_letor(io.StringIO(text), width=8)
        assert data.grades.tolist() == grades
        assert [data.topics[owner] for owner in data.owner] == topics
        table = [[row.get(k, 0.0) for k in range(1, 9)] for row in rows]
        assert data.features.tolist() == np.array(table, np.float32).tolist()


def test_ohsumed_is_what_it_is_said_to_be(real_data: Path) -> None:
    data = read_letor([real_data / "ohsumed" / f"S{part}.txt.xz" for part in range(1, 6)])
    assert (len(data), len(data.grades), data.width) == (106, 16140, 45)
    assert np.bincount(data.grades).tolist() == [11303, 2585, 2252]
    assert data.docs[0] == "244338"


def test_a_constant_scorer_gets_what_chance_gives(real_data: Path) -> None:
    """In the order of the files it would get .426 (the file leaks relevance)."""
    from gradewise.measures.evaluate import score_judged

    data = read_letor([real_data / "ohsumed" / f"S{part}.txt.xz" for part in range(1, 6)])
    judged = data.judged(np.zeros(len(data.grades)), seed=5)
    assert score_judged(judged, "AP").summary()[0, 0] == pytest.approx(0.305, abs=0.01)


def test_arrays_by_group_and_by_topic_are_the_same() -> None:
    x, y = np.arange(8.0).reshape(4, 2), [0, 1, 2, 0]
    by_group = from_arrays(x, y, group=[3, 1])
    by_topic = from_arrays(x, y, qid=[1, 1, 1, 2])
    assert by_group.offsets.tolist() == by_topic.offsets.tolist() == [0, 3, 4]
    mixed = from_arrays(x, y, qid=["b", "a", "b", "a"], docs=list("wxyz"))
    assert mixed.topics == ("b", "a")
    assert mixed.docs == ("w", "y", "x", "z")
    assert mixed.grades.tolist() == [0, 2, 1, 0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"group": [2, 1]}, "the sizes in group sum to 3, but there are 4 rows"),
        ({"group": [4, 0]}, "group must hold whole numbers of 1 or more"),
        ({"qid": [1, 2]}, "qid has 2 values, but there are 4 rows"),
        ({}, "give either group"),
        ({"group": [4], "qid": [1] * 4}, "give either group"),
        ({"group": [4], "docs": ["a"]}, "there are 4 rows but 1 document ids"),
    ],
)
def test_arrays_that_do_not_fit(options: dict[str, object], message: str) -> None:
    with pytest.raises((InputError, OptionError), match=message):
        from_arrays(np.zeros((4, 2)), [0, 1, 0, 1], **options)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("x", "y", "message"),
    [
        ([[1.0], [np.nan]], [0, 1], "feature 1 of row 1 (topic 2) is nan; 1 value in total"),
        ([[1.0], [2.0]], [0, 1.5], "the grade of row 1 is 1.5, not a whole number"),
        ([[1.0], [2.0]], [0], "there are 2 rows of features, but grades have shape (1,)"),
        ([1.0, 2.0], [0, 1], "features must be a table"),
    ],
)
def test_arrays_with_wrong_values(x: object, y: object, message: str) -> None:
    with pytest.raises(InputError) as caught:
        from_arrays(x, y, group=[1, 1])
    assert message in str(caught.value)


def test_a_run_and_judgments_of_features() -> None:
    data = from_arrays(np.zeros((3, 1)), [1, 0, 2], group=[2, 1], docs=["a", "b", "a"])
    run = data.run(np.array([0.5, 0.7, 0.1]))
    assert run.to_dict() == {"1": {"a": 0.5, "b": 0.7}, "2": {"a": 0.1}}
    assert data.qrels().to_dict() == {"1": {"a": 1, "b": 0}, "2": {"a": 2}}
    twice = from_arrays(np.zeros((2, 1)), [1, 0], group=[2], docs=["a", "a"])
    with pytest.raises(GradewiseError, match="document a appears twice for topic 1"):
        twice.run(np.zeros(2))


def test_taking_topics() -> None:
    data = from_arrays(np.arange(5.0)[:, None], [0, 1, 2, 0, 1], group=[2, 1, 2])
    taken = data.take([2, 0])
    assert taken.topics == ("3", "1")
    assert taken.features.ravel().tolist() == [3, 4, 0, 1]
    assert taken.grades.tolist() == [0, 1, 0, 1]
    assert taken.docs == ("3-1", "3-2", "1-1", "1-2")


def test_what_is_written_reads_back(tmp_path: Path) -> None:
    rng = np.random.default_rng(6)
    x = rng.normal(size=(9, 4)).astype(np.float32) * (rng.random((9, 4)) < 0.7)
    x[0] = [1e-30, -3.4e38, 0, 1 / 3]
    data = from_arrays(x, rng.integers(-1, 4, 9), qid=list("aaabbbbcc"))
    write_letor(data, tmp_path / "made.txt.gz")
    back = read_letor(tmp_path / "made.txt.gz", width=4)
    assert np.array_equal(back.features, data.features)
    assert back.grades.tolist() == data.grades.tolist()
    assert (back.topics, back.docs) == (data.topics, data.docs)
