"""Input that is not clean: every case is read as it was meant, or refused with place and reason."""

import bz2
import contextlib
import gzip
import lzma
import os
import random
import threading
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import GradewiseError, InputError

try:
    from compression import zstd  # Python 3.14
except ImportError:
    from backports import zstd

Write = Callable[..., Path]

COMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "gz": gzip.compress,
    "zst": zstd.compress,
    "xz": lzma.compress,
    "bz2": bz2.compress,
}
RUN = "1 Q0 a 1 3.5 tag\n1 Q0 b 2 2.5 tag\n2 Q0 c 1 0.25 tag\n"
RUN_TABLE = {"1": {"a": 3.5, "b": 2.5}, "2": {"c": 0.25}}
QRELS = "1 0 a 1\n1 0 b 0\n2 0 c 2\n"
QRELS_TABLE = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write a file, from text or bytes, and return its path."""

    def save(content: str | bytes, name: str = "file.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return path

    return save


def message(read: Callable[[Any], Any], source: Any) -> str:
    """Return what the user is told when a source is refused."""
    with pytest.raises(InputError) as caught:
        read(source)
    return str(caught.value)


def means(scores: gw.Scores) -> list[float]:
    return scores.mean["value"].to_list()


# Ties


def run_of(scores: dict[str, str]) -> str:
    """Return a run whose topic 1 has these documents, in this order, with these scores."""
    rows = enumerate(scores.items(), 1)
    return "".join(f"1 Q0 {doc} {rank} {score} tag\n" for rank, (doc, score) in rows)


@pytest.mark.parametrize(
    ("documents", "ranked"),
    [
        (["a", "c", "b"], ["c", "b", "a"]),
        (["10", "9", "100"], ["9", "100", "10"]),  # as text, not as numbers
        (["a", "Z", "é", "z"], ["é", "z", "a", "Z"]),  # by bytes
        (["\U00010000", "\uffff"], ["\U00010000", "\uffff"]),  # bytes, not UTF-16 units
        (["doc", "document", "do"], ["document", "doc", "do"]),
        (["12345678a", "12345678b", "12345678"], ["12345678b", "12345678a", "12345678"]),
        (["x" * 70 + "a", "x" * 70 + "b"], ["x" * 70 + "b", "x" * 70 + "a"]),
    ],
)
def test_tied_documents_come_in_falling_order_of_their_bytes(write, documents, ranked):
    run = gw.read_run(write(run_of(dict.fromkeys(documents, "1.0"))))
    assert run.ranking("1") == ranked


def test_scores_that_only_differ_as_doubles_are_not_tied(write):
    low, high = "1.00000001", "1.00000002"
    assert np.float32(low) == np.float32(high)
    run = gw.read_run(write(run_of({"z": low, "a": high})))
    assert run.ranking("1") == ["a", "z"]


def test_scores_that_are_one_double_are_tied(write):
    run = gw.read_run(write(run_of({"a": "1.00000000000000001", "b": "1", "c": "1e0"})))
    assert run.ranking("1") == ["c", "b", "a"]


def test_the_rank_column_settles_no_ties(write):
    run = gw.read_run(write("1 Q0 a 1 5 t\n1 Q0 b 2 5 t\n"))
    assert run.ranking("1") == ["b", "a"]


def test_ties_change_scores_as_the_option_says(write):
    qrels = write("1 0 a 1\n", "qrels")
    run = write(run_of({"a": "5", "b": "5", "c": "5"}), "run")
    assert means(gw.evaluate(qrels, run, "RR")) == [pytest.approx(1 / 3)]
    assert means(gw.evaluate(qrels, run, "RR", ties="input")) == [1.0]
    drawn = {means(gw.evaluate(qrels, run, "RR", ties="random", seed=s))[0] for s in range(40)}
    assert sorted(drawn) == [pytest.approx(1 / 3), 0.5, 1.0]


def test_an_unknown_tie_rule_is_refused(write):
    with pytest.raises(GradewiseError, match="'trec', 'input', 'random', not 'docid'"):
        gw.evaluate(write(QRELS, "qrels"), write(RUN, "run"), "AP", ties="docid")


# Topics that do not match


def test_a_judged_topic_that_the_run_misses_is_0_and_reported(write):
    scores = gw.evaluate(write(QRELS, "qrels"), write("1 Q0 a 1 1 t\n", "mine.run"), "AP")
    assert scores.per_topic.rows() == [("mine", "1", "AP", 1.0), ("mine", "2", "AP", 0.0)]
    assert means(scores) == [0.5]
    assert scores.notes == ["mine: 1 of 2 judged topics are missing from the run"]


def test_a_missing_topic_may_be_dropped(write):
    run = write("1 Q0 a 1 1 t\n", "mine.run")
    scores = gw.evaluate(write(QRELS, "qrels"), run, "AP", missing="drop")
    assert scores.per_topic.rows() == [("mine", "1", "AP", 1.0)]
    assert means(scores) == [1.0]
    assert scores.notes == ["mine: 1 of 2 judged topics are missing from the run"]


def test_dropping_is_done_run_by_run(write):
    runs = [write("1 Q0 a 1 1 t\n", "half"), write(RUN + "1 Q0 x 0 9 t\n", "whole")]
    scores = gw.evaluate(write(QRELS, "qrels"), runs, "AP", missing="drop")
    assert means(scores) == [1.0, 0.75]


def test_a_topic_that_is_not_judged_is_ignored_and_reported(write):
    qrels = write(QRELS, "qrels")
    extra = write("0 Q0 a 1 9 t\n" + RUN + "3 Q0 a 1 9 t\n", "extra")
    plain = write(RUN, "plain")
    scores = gw.evaluate(qrels, [extra, plain], ["AP", "nDCG@10", "NumRet"])
    assert scores.topics == ("1", "2")
    assert means(scores)[:3] == means(scores)[3:] == [1.0, 1.0, 3.0]
    assert scores.notes == ["extra: ignored 2 topics without judgments"]


def test_a_run_without_any_judged_topic_scores_0_and_says_so(write):
    scores = gw.evaluate(write(QRELS, "qrels"), write("9 Q0 a 1 9 t\n", "off"), "AP")
    assert means(scores) == [0.0]
    assert scores.notes == [
        "off: 2 of 2 judged topics are missing from the run",
        "off: ignored 1 topic without judgments",
    ]


def test_a_topic_without_relevant_document_is_reported(write):
    scores = gw.evaluate(write("1 0 a 1\n2 0 c 0\n"), {"mine": RUN_TABLE}, "AP")
    assert scores.notes == ["1 judged topic without a relevant document"]


# Duplicates


@pytest.mark.parametrize(
    ("read", "rows"),
    [
        (gw.read_run, ["1 Q0 a 1 3 t", "1 Q0 b 2 2 t", "1 Q0 a 3 1 t"]),
        (gw.read_run, ["1 a 1", "1 b 2", "1 a 3"]),
        (gw.read_qrels, ["1 0 a 1", "1 0 b 1", "1 0 a 1"]),
        (gw.read_qrels, ["1 0 a 1", "1 0 b 1", "1 0 a 2"]),
        (gw.read_qrels, ["1 a 1", "1 b 1", "1 a 1"]),
    ],
)
def test_a_document_that_comes_twice_is_an_error_with_both_lines(write, read, rows):
    path = write("\n".join(rows))
    told = message(read, path)
    assert told.startswith(f"{path}:3: document a appears twice for topic 1, first at {path}:1")
    assert told.endswith(rows[2])


def test_duplicates_are_found_where_the_topic_comes_back(write):
    path = write("# head\n1 0 a 1\n2 0 a 1\n\n1 0 c 1\n2 0 c 1\n1 0 a 0\n")
    told = message(gw.read_qrels, path)
    assert told.startswith(f"{path}:7: document a appears twice for topic 1, first at {path}:2")
    assert "\n" not in told


def test_all_duplicates_are_reported_in_the_order_of_lines(write):
    rows = ["2 0 x 1", "1 0 a 1", "1 0 a 1", "2 0 x 1", "1 0 a 1"]
    path = write("\n".join(rows))
    places = [line.split(" document")[0] for line in message(gw.read_qrels, path).splitlines()]
    assert places == [f"{path}:3:", f"{path}:4:", f"{path}:5:"]


@pytest.mark.parametrize("length", [1, 8, 9, 16, 17, 64, 65, 200])
def test_duplicates_are_told_by_all_bytes_of_an_id(write, length):
    near = ["x" * (length - 1) + last for last in "abc"]
    content = "".join(f"1 0 {doc} 1\n" for doc in near)
    assert gw.read_qrels(write(content)).to_dict() == {"1": dict.fromkeys(near, 1)}
    assert f"document {near[1]} appears twice" in message(
        gw.read_qrels, write(content + f"1 0 {near[1]} 1\n")
    )


def test_a_document_may_be_in_several_topics(write):
    assert gw.read_qrels(write("1 0 a 1\n2 0 a 2\n")).to_dict() == {"1": {"a": 1}, "2": {"a": 2}}


# Numbers


NOT_SCORES = [
    "abc", "NaN", "nan", "-nan", "inf", "-inf", "Infinity", "1e999", "-1e999", "0x10", "0x1p3",
    "1_000", "1,5", "1.2.3", "--1", "+-1", "+", "-", ".", "-.", "e5", "1e", "1e+", "1e5.0", "1d5",
    "1f", "1.5abc", "12345678x", "1234567890123x", "0.12345678901234567890x", "½", "\u0661",
    "1\u00a0", "None", "null",
]  # fmt: skip


@pytest.mark.parametrize("score", NOT_SCORES)
def test_what_is_no_finite_number_is_no_score(write, score):
    path = write(f"1 Q0 a 1 1 t\n1 Q0 b 2 {score} t\n1 Q0 c 3 1 t\n")
    told = message(gw.read_run, path)
    assert told.startswith(f"{path}:2: the score {score!r} is not a finite number")
    assert "1 Q0 b 2" in told


@pytest.mark.parametrize("rank", ["abc", "nan", "1e999", "1st"])
def test_what_is_no_finite_number_is_no_rank(write, rank):
    path = write(f"1 a 1\n1 b {rank}\n")
    assert message(gw.read_run, path).startswith(
        f"{path}:2: the rank {rank!r} is not a finite number"
    )


SCORES = {
    "1": 1.0, "+1.5": 1.5, "-2.25": -2.25, ".5": 0.5, "5.": 5.0, "-0": -0.0, "1e3": 1000.0,
    "1E-3": 0.001, "007": 7.0, "1e-400": 0.0, "0.1": 0.1,
    "123456789012345678901234567890": 1.2345678901234568e29,
    "1.7976931348623157e308": 1.7976931348623157e308, "4.9e-324": 5e-324,
}  # fmt: skip


@pytest.mark.parametrize("score", SCORES)
def test_scores_in_any_decimal_form(write, score):
    run = gw.read_run(write(f"1 Q0 a 1 {score} t\n"))
    assert repr(run.to_dict()) == repr({"1": {"a": SCORES[score]}})


@pytest.mark.parametrize("grade", ["1.5", "abc", "nan", "inf", "1e999", "0x1", "1_0", "-", "1,0"])
def test_grades_are_whole_numbers(write, grade):
    path = write(f"1 0 a 1\n1 0 b {grade}\n")
    told = message(gw.read_qrels, path)
    assert told.startswith(f"{path}:2: the grade {grade!r} is not a whole number")
    assert told.endswith(f"1 0 b {grade}")


@pytest.mark.parametrize("grade", ["0", "3", "-1", "+2", "007", "-0", "1000000"])
def test_grades_in_any_whole_form(write, grade):
    assert gw.read_qrels(write(f"1 0 a {grade}\n")).to_dict() == {"1": {"a": int(grade)}}


@pytest.mark.parametrize(
    "grade",
    [
        "9007199254740993",
        "9223372036854775807",
        "9223372036854775808",
        "1" + "0" * 20,
        "-" + "9" * 20,
    ],
)
def test_a_grade_is_kept_exactly_or_refused(write, grade):
    path = write(f"1 0 a 1\n1 0 b {grade}\n")
    grades, told = None, ""
    try:
        grades = gw.read_qrels(path).to_dict()
    except InputError as error:
        told = str(error)
    assert grades == {"1": {"a": 1, "b": int(grade)}} or told.startswith(f"{path}:2: the grade")


def test_negative_grades_are_judged_and_not_relevant(write):
    run = {"mine": {"1": {"bad": 3, "good": 2, "unknown": 1}}}
    measures = ["AP", "nDCG", "GAP(g=[1])", "Bpref", "NumRel"]
    negative = gw.evaluate(write("1 0 good 1\n1 0 bad -2\n", "negative"), run, measures)
    zero = gw.evaluate(write("1 0 good 1\n1 0 bad 0\n", "zero"), run, measures)
    assert means(negative) == means(zero)
    assert means(negative)[0] == 0.5
    assert means(negative)[3] == 0.0  # 1 if the bad document were unjudged
    assert means(negative)[4] == 1.0
    assert negative.coverage.unjudged[0, 0] == pytest.approx(1 / 3)


# Byte-order marks and other encodings


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_a_byte_order_mark_is_not_part_of_the_first_topic(write, newline):
    bom = "\ufeff"
    assert gw.read_run(write(bom + RUN.replace("\n", newline))).to_dict() == RUN_TABLE
    assert gw.read_qrels(write(bom + QRELS.replace("\n", newline))).to_dict() == QRELS_TABLE


def test_a_byte_order_mark_before_a_comment_or_a_blank_line(write):
    assert gw.read_qrels(write("\ufeff# comment\n" + QRELS)).to_dict() == QRELS_TABLE
    assert gw.read_qrels(write("\ufeff\n" + QRELS)).to_dict() == QRELS_TABLE


def test_a_byte_order_mark_shifts_no_line_numbers(write):
    path = write("\ufeff1 0 a 1\n1 0 b x\n")
    assert message(gw.read_qrels, path).startswith(f"{path}:2: the grade 'x'")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_refused_with_the_reason(write, encoding):
    path = write(RUN.encode(encoding))
    told = message(gw.read_run, path)
    assert told.startswith(str(path))
    if encoding == "utf-16":
        assert "UTF-16" in told


def test_utf_16_is_told_inside_a_compressed_file(write):
    assert "UTF-16" in message(gw.read_run, write(gzip.compress(RUN.encode("utf-16"))))


@pytest.mark.parametrize("lines_before", [0, 1, 5000])
def test_latin_1_is_refused_with_the_line(write, lines_before):
    before = "".join(f"1 0 doc{n} 1\n" for n in range(lines_before))
    path = write(before.encode() + "1 0 café 1\n".encode("latin-1") + b"1 0 d 1\n")
    told = message(gw.read_qrels, path)
    assert told.startswith(f"{path}:{lines_before + 1}: this is not UTF-8 text")
    assert "caf" in told


# Compression


@pytest.mark.parametrize("kind", COMPRESS)
@pytest.mark.parametrize("name", ["run", "run.txt", "run.gz", "run.zst", "run.xz", "run.parquet"])
def test_compression_is_told_by_content(write, kind, name):
    assert gw.read_run(write(COMPRESS[kind](RUN.encode()), name)).to_dict() == RUN_TABLE
    assert gw.read_qrels(write(COMPRESS[kind](QRELS.encode()), name)).to_dict() == QRELS_TABLE


@pytest.mark.parametrize("name", ["run.gz", "run.zst", "run.xz", "run.bz2", "run.parquet"])
def test_plain_text_may_have_any_name(write, name):
    assert gw.read_run(write(RUN, name)).to_dict() == RUN_TABLE


@pytest.mark.parametrize("kind", COMPRESS)
def test_a_compressed_file_of_several_members(write, kind):
    lines = RUN.encode().splitlines(keepends=True)
    path = write(b"".join(COMPRESS[kind](line) for line in lines))
    assert gw.read_run(path).to_dict() == RUN_TABLE


def test_a_zstandard_file_that_begins_with_a_skippable_frame(write):
    """As pzstd writes it: a magic number, the length of what is to be skipped, and that."""
    frame = b"\x50\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"size"
    assert gw.read_run(write(frame + zstd.compress(RUN.encode()))).to_dict() == RUN_TABLE


@pytest.mark.parametrize("kind", COMPRESS)
def test_lines_and_marks_inside_compressed_files(write, kind):
    path = write(COMPRESS[kind](b"\xef\xbb\xbf1 Q0 a 1 1 t\r\n1 Q0 b 2 x t\r\n"))
    assert message(gw.read_run, path).startswith(f"{path}:2: the score 'x'")
    assert "empty" in message(gw.read_run, write(COMPRESS[kind](b"")))


@pytest.mark.parametrize("kind", COMPRESS)
def test_a_truncated_compressed_file_is_refused_wherever_it_ends(write, kind):
    whole = COMPRESS[kind](RUN.encode())
    for length in range(6, len(whole)):
        path = write(whole[:length])
        assert message(gw.read_run, path).startswith(f"{path}: damaged ")


@pytest.mark.parametrize("kind", ["gz", "xz", "bz2"])  # zstd has no checksum unless asked for
def test_a_flipped_bit_in_a_compressed_file_never_changes_a_row(write, kind):
    whole = COMPRESS[kind](RUN.encode())
    refused = 0
    for place in range(len(whole)):
        flipped = whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :]
        try:
            assert gw.read_run(write(flipped)).to_dict() == RUN_TABLE
        except InputError:
            refused += 1
    assert refused > len(whole) // 2


def test_ids_that_look_like_the_mark_of_a_format_are_text(write):
    for topic in ("BZh1", "BZh", "PAR1"):
        assert gw.read_run(write(f"{topic} Q0 a 1 1 t\n")).to_dict() == {topic: {"a": 1.0}}


# White space, comments


@pytest.mark.parametrize(
    "content",
    [
        "\n" + QRELS,
        "\n\n\n" + QRELS + "\n\n",
        QRELS.replace("\n", "\n\n"),
        QRELS.replace("\n", "\n \t \n"),
        "# comment\n" + QRELS,
        "#\n" + QRELS,
        "#comment 1 2 3\n#\n## more\n" + QRELS,
        "   # indented\n\t#tab\n" + QRELS,
        QRELS.replace("\n", "\n# 1 0 x 1\n"),
        QRELS.replace("\n", "\n  # 1 0 x 1\n#\n\n# more\n"),
        QRELS + "# at the end",
        QRELS + "   ",
        "#" + "x" * 5000 + "\n" + QRELS,
        "# comment\n" * 3000 + QRELS + "# comment\n" * 20000,
        "# naïve café\n" + QRELS,
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_blank_lines_and_comments(write, content, newline):
    assert gw.read_qrels(write(content.replace("\n", newline))).to_dict() == QRELS_TABLE


def test_comments_do_not_hide_a_run_or_its_tag(write):
    content = "# tag none\n\n" + RUN + "# one\n\n# 2 Q0 z 1 1 other\n"
    run = gw.read_run(write(content))
    assert run.to_dict() == RUN_TABLE
    assert run.tag == "tag"


@pytest.mark.parametrize(
    "content",
    [
        RUN.replace(" ", "\t"),
        RUN.replace(" ", "   "),
        RUN.replace(" ", " \t "),
        RUN.replace(" ", "\v"),
        RUN.replace(" ", "\f"),
        RUN.replace("1 Q0", "1\tQ0"),
        RUN.replace("\n", "\r\n"),
        RUN.replace("\n", "\r"),
        RUN.replace("\n", "\r\n", 1),
        RUN.replace("\n", "\r", 1),
        RUN.replace("\n", "\r\r\n"),
        RUN.removesuffix("\n"),
        RUN.replace("\n", "\r\n").removesuffix("\r\n"),
        RUN.replace("\n", "\r").removesuffix("\r"),
        RUN.replace("\n", "\r\n").removesuffix("\n"),
        RUN.replace("\n", "\n ").removesuffix(" "),
        "   " + RUN,
        "\t" + RUN.replace("\n", "\n\t"),
        RUN.replace("\n", "   \n"),
        RUN.replace("\n", "\t\r\n"),
        RUN.replace("tag", "tag more columns"),
        RUN.replace("tag\n", "tag 7\n", 1),
        RUN.replace("tag", "naïve"),
        RUN.replace("Q0", "0"),
    ],
)
def test_any_white_space_and_further_columns(write, content):
    assert gw.read_run(write(content)).to_dict() == RUN_TABLE


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("read_as", ["plain", "gz"])
def test_lines_are_counted_as_an_editor_counts_them(write, newline, read_as):
    content = "# one\n\n1 0 a 1\n1 0 b bad\n".replace("\n", newline).encode()
    path = write(gzip.compress(content) if read_as == "gz" else content)
    assert (
        message(gw.read_qrels, path)
        == f"{path}:4: the grade 'bad' is not a whole number: 1 0 b bad"
    )


def test_a_line_that_ends_in_white_space_is_not_a_column_longer(write):
    path = write("1 0 a 1 \n1 0 b\t1\t\n")
    assert gw.read_qrels(path).to_dict() == {"1": {"a": 1, "b": 1}}


# Ids


IDS = [
    "007", "7", "07", "7.0", "NA", "N/A", "nan", "NaN", "null", "None", "1e5", "100000", "1E5",
    "True", "inf", "-1", "+1", "0x10", "a#b", "d#", "a,b", "a;b", '"a"', "'a'", '"', "a\\b", "{a}",
    "%20", "http://x.org/?q=1&r=2#top", "é", "e\u0301", "日本語", "ß", "\U0001f600", "a\u00a0b",
    "a\u2028b", "x" * 8, "x" * 9, "x" * 16, "x" * 17, "x" * 64, "x" * 65, "é" * 40, "x" * 1000,
]  # fmt: skip


@pytest.mark.parametrize("separator", [" ", "\t", "  "])
def test_ids_are_text_whatever_they_look_like(write, separator):
    rows = [("t", document) for document in IDS] + [(topic, "d") for topic in IDS]
    qrels = gw.read_qrels(write("".join(separator.join((t, "0", d, "1\n")) for t, d in rows)))
    expected: dict[str, dict[str, int]] = {}
    for topic, document in rows:
        expected.setdefault(topic, {})[document] = 1
    assert qrels.to_dict() == expected


def test_ids_match_only_themselves(write):
    run = write("".join(f"t Q0 {document} 1 1 x\n" for document in IDS), "run")
    for document in IDS:
        scores = gw.evaluate({"t": {document: 1}}, run, "NumRelRet")
        assert means(scores) == [1.0], document
    others = ["0007", "70", "Na", "nA", "100000.0", "1e05", "a#", "X" * 8, "x" * 7, "x" * 999, "e"]
    assert means(gw.evaluate({"t": dict.fromkeys(others, 1)}, run, "NumRelRet")) == [0.0]


@pytest.mark.parametrize("length", [*range(1, 26), 63, 64, 65, 127, 128, 129, 1000])
def test_ids_of_any_length_are_told_apart_by_every_byte(write, length):
    base = "abcdefgh" * 130
    documents = [base[:length]]
    for place in {0, length // 2, length - 1}:
        documents.append(base[:place] + "#" + base[place + 1 : length])
    documents += [base[: length - 1], base[: length + 1]] if length > 1 else []
    path = write("".join(f"t Q0 {document} 1 {n} x\n" for n, document in enumerate(documents)))
    assert gw.read_run(path).to_dict() == {"t": {d: float(n) for n, d in enumerate(documents)}}
    for wanted in documents:
        scores = gw.evaluate({"t": {wanted: 1}}, path, ["NumRelRet", "RR"])
        assert means(scores) == [1.0, pytest.approx(1 / (len(documents) - documents.index(wanted)))]


@pytest.mark.parametrize("length", [1, 8, 9, 16, 63, 64, 65, 66, 72, 73, 128, 129, 1000])
def test_topics_of_any_length_are_told_apart_by_every_byte(write, length):
    base = "abcdefgh" * 125
    topics = [base[:place] + "#" + base[place + 1 : length] for place in range(1, length)]
    topics = [base[:length], *topics[:3], *topics[-3:]]
    topics = [*dict.fromkeys(topics), "z"]
    rows = [(topic, document) for topic in topics for document in "ab"]
    qrels = gw.read_qrels(write("".join(f"{t} 0 {d} 1\n" for t, d in rows)))
    assert qrels.to_dict() == {topic: {"a": 1, "b": 1} for topic in topics}
    run = write("".join(f"{t} Q0 {d} 1 1 x\n" for t, d in reversed(rows)), "run")
    scores = gw.evaluate(qrels, run, ["NumRelRet", "NumRet"])
    assert set(scores.per_topic["value"].to_list()) == {2.0}
    assert sorted(scores.topics) == sorted(topics)


@pytest.mark.parametrize("length", [60, 100, 1000])
def test_short_ids_at_the_end_of_a_text_with_a_long_one(write, length):
    documents = ["x" * length, "a", "b", "ab", "c"]
    path = write("".join(f"t Q0 {document} 1 {n} x\n" for n, document in enumerate(documents)))
    for wanted in documents:
        scores = gw.evaluate({"t": {wanted: 1}}, path, ["NumRelRet", "RR"])
        assert means(scores) == [1.0, pytest.approx(1 / (5 - documents.index(wanted)))]
    ties = gw.read_run(write("".join(f"t Q0 {document} 1 1 x\n" for document in documents)))
    assert ties.ranking("t") == sorted(documents, reverse=True)
    told = message(gw.read_run, write(path.read_text() + "t Q0 b 1 1 x"))
    assert "document b appears twice for topic t" in told


def test_a_very_long_id_costs_no_memory_for_the_others(write):
    rows = [f"{n // 100} Q0 D{n} 1 {n} t" for n in range(10_000)]
    rows[777] = f"7 Q0 {'u' * 10_000} 1 1 t"
    path = write("\n".join(rows))
    tracemalloc.start()
    try:
        run = gw.read_run(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(run) == 10_000
    assert peak < 30e6  # 100 times the file; a table of all ids as long as the longest has 100 MB


def test_a_hash_mark_begins_a_comment_only_at_the_start_of_a_line(write):
    path = write("1 0 #a 1\n1 #0 b# 1\n#1 0 c 1\n")
    assert gw.read_qrels(path).to_dict() == {"1": {"#a": 1, "b#": 1}}


# Order of rows


def test_topics_need_not_be_contiguous(write):
    mixed = "2 Q0 a 1 1 t\n1 Q0 b 1 5 t\n2 Q0 c 1 3 t\n1 Q0 a 1 6 t\n3 Q0 a 1 1 t\n2 Q0 b 1 2 t\n"
    run = gw.read_run(write(mixed))
    assert {topic: run.ranking(topic) for topic in run.topics} == {
        "2": ["c", "b", "a"],
        "1": ["a", "b"],
        "3": ["a"],
    }
    ordered = "".join(sorted(mixed.splitlines(keepends=True)))
    qrels = {"1": {"a": 1, "b": 2}, "2": {"b": 1, "x": 1}, "3": {"a": 1}}
    measures = ["AP", "nDCG", "NumRet"]
    runs = {"mixed": write(mixed, "mixed"), "ordered": write(ordered, "ordered")}
    scores = gw.evaluate(qrels, runs, measures)
    assert means(scores)[:3] == means(scores)[3:]
    assert means(scores)[2] == 6


# What is no qrels and no run


@pytest.mark.parametrize("read", [gw.read_qrels, gw.read_run])
@pytest.mark.parametrize("content", ["", "\ufeff"])
def test_an_empty_file(write, read, content):
    path = write(content)
    assert message(read, path) == f"{path}: the file is empty"


@pytest.mark.parametrize("read", [gw.read_qrels, gw.read_run])
@pytest.mark.parametrize("content", ["\n", "\r", " ", "\n \n\t\n", "# only\n", "# a\n\n  # b", "#"])
def test_a_file_without_data(write, read, content):
    path = write(content)
    assert message(read, path) == f"{path}: the file has no data lines"


@pytest.mark.parametrize("read", [gw.read_qrels, gw.read_run])
@pytest.mark.parametrize("seed", range(20))
def test_binary_noise(write, read, seed):
    path = write(random.Random(seed).randbytes(3000))
    assert message(read, path).startswith(str(path))


@pytest.mark.parametrize("read", [gw.read_qrels, gw.read_run])
@pytest.mark.parametrize(
    "content",
    [
        b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00",
        b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type >>\n",
        b"PK\x03\x04\x14\x00\x00\x00\x08\x00",
        b"\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00",
        b'{"1": 1}',
        b'{"1": {"a": 1}',
        b"<html><body>404 Not Found</body></html>\n",
        b"PAR1",
        b"PAR1" + bytes(40) + b"PAR1",
        bytes(100),
    ],
)
def test_files_of_another_kind(write, read, content):
    path = write(content)
    assert message(read, path).startswith(str(path))


def test_a_control_character_is_named_with_its_line(write):
    path = write(b"1 0 a 1\n1 0 b\x00c 1\n")
    assert message(gw.read_qrels, path).startswith(f"{path}:2: control character 0")


@pytest.mark.parametrize("code", [0, 7, 8, 27, 127])
def test_a_message_holds_nothing_that_steers_a_terminal(write, code):
    told = message(gw.read_run, write(b"1 Q0 a%c[31m 1 bad t\n" % code))
    assert all(line.isprintable() for line in told.split("\n")), told


@pytest.mark.parametrize(
    ("read", "line", "found"),
    [
        (gw.read_run, "1", "1"),
        (gw.read_run, "1 Q0", "2"),
        (gw.read_run, "1 Q0 a 1", "4, as a qrels file has; are qrels and runs swapped?"),
        (gw.read_run, "1 Q0 a 1 2.5", "5"),
        (gw.read_qrels, "1", "1"),
        (gw.read_qrels, "1 0", "2"),
        (gw.read_qrels, "1 Q0 a 1 2.5 tag", "6, as a run has; are qrels and runs swapped?"),
    ],
)
def test_a_wrong_number_of_columns(write, read, line, found):
    path = write(f"\n# comment\n{line}\n")
    told = message(read, path)
    assert told.startswith(f"{path}:3: expected ")
    assert "columns (topic " in told
    assert told.endswith(f"found {found}: {line}")


def test_a_run_of_three_columns_in_place_of_qrels(write):
    told = message(gw.read_qrels, write("1 a 0.5\n"))
    assert "the grade '0.5' is not a whole number (are qrels and runs swapped?)" in told


@pytest.mark.parametrize("comment", ["# topic 1", "#1", "\ufeff# Q0 1"])
def test_a_wrong_line_is_not_mistaken_for_a_comment_above_it(write, comment):
    path = write(f"{comment}\n\n1 0\n")
    told = message(gw.read_qrels, path)
    assert told.startswith(f"{path}:3: expected ")
    assert told.endswith(": 1 0")


def test_the_line_of_a_first_row_that_is_not_utf_8(write):
    path = write(b"# comment\n\xff a\n")
    assert message(gw.read_qrels, path).startswith(f"{path}:2: ")


@pytest.mark.parametrize(
    ("read", "rows", "place", "found"),
    [
        (gw.read_qrels, ["1 0 a 1", "1 b 1"], 2, 3),
        (gw.read_qrels, ["1 a 1", "1 0 b 1"], 2, 4),
        (gw.read_qrels, ["1 0 a 1", "1 0 b 1", "1 0 c"], 3, 3),
        (gw.read_run, ["1 Q0 a 1 2 t", "1 b 1"], 2, 3),
        (gw.read_run, ["1 a 1", "1 Q0 b 1 2 t"], 2, 6),
        (gw.read_run, ["1 Q0 a 1 2 t", "1 Q0 b 1 2"], 2, 5),
        (gw.read_run, ["1 Q0 a 1 2 t x", "1 Q0 b 1 2 t", "1"], 3, 1),
    ],
)
def test_lines_of_different_shapes(write, read, rows, place, found):
    path = write("\n".join(rows))
    told = message(read, path)
    assert told.startswith(f"{path}:{place}: expected ")
    assert told.endswith(f"found {found}: {rows[place - 1]}")


def test_columns_that_add_up_are_still_wrong(write):
    """Five and seven columns are twelve, as are two lines of six."""
    path = write("1 Q0 a 1 2 t\n1 Q0 b 1 2\n1 Q0 c 1 2 t x\n")
    assert message(gw.read_run, path).startswith(f"{path}:2: expected 6 columns")
    path = write("1 0 a 1\n1 0 b\n1 0 c 1 1\n")
    assert len(message(gw.read_qrels, path).splitlines()) == 2


@pytest.mark.parametrize("between", ["\n", "\r", "\r\n"])
def test_two_halves_of_a_line_are_no_line(write, between):
    path = write(f"1 Q0 a 1 2 t\n1 Q0 b{between}1 2 t\n")
    told = message(gw.read_run, path).splitlines()
    assert [line.split(", found")[0] for line in told] == [
        f"{path}:{n}: expected 6 columns (topic Q0 document rank score tag)" for n in (2, 3)
    ]
    path = write(f"1 0 a 1\n1{between}0 b 1\n")
    assert len(message(gw.read_qrels, path).splitlines()) == 2


@pytest.mark.parametrize("code", [0, 1, 8, 14, 27, 31])
@pytest.mark.parametrize("field", ["b{}c", "{}", '"b{}c"', '"b{}""c"'])
@pytest.mark.parametrize("between", ["\t", ",", ";", "|"])
def test_control_characters_are_refused_between_delimiters(write, between, field, code):
    field = field.format(chr(code))
    rows = [["topic", "doc", "score"], ["1", "a", "1"], ["1", field, "2"], ["2", "c", "1"]]
    path = write("\n".join(between.join(row) for row in rows))
    for read in (gw.read_qrels, gw.read_run):
        assert message(read, path).startswith(f"{path}:3: control character {code}")


@pytest.mark.parametrize("code", [0, 1, 28, 31])
def test_control_characters_separate_no_columns(write, code):
    path = write(f"1 0 a 1\n1{chr(code)}0 b 1\n")
    assert message(gw.read_qrels, path).startswith(f"{path}:2: ")
    path = write(f"1 0 a 1\n{chr(code).join('10b1')}\n1 0 c 1\n")
    assert message(gw.read_qrels, path).startswith(f"{path}:2: ")


# Many problems


def test_the_first_20_problems_are_shown_and_all_are_counted(write):
    rows = [f"1 0 doc{n} {'bad' if n % 2 else n}" for n in range(100)]
    path = write("\n".join(rows))
    told = message(gw.read_qrels, path).splitlines()
    assert told[:20] == [
        f"{path}:{n + 1}: the grade 'bad' is not a whole number: 1 0 doc{n} bad"
        for n in range(1, 40, 2)
    ]
    assert told[20:] == ["... 50 problems in total; the first 20 are shown"]


def test_20_problems_are_shown_without_a_count(write):
    path = write("".join(f"1 0 doc{n} bad\n" for n in range(20)))
    assert len(message(gw.read_qrels, path).splitlines()) == 20


def test_problems_of_all_kinds_are_reported_together(write):
    path = write("1 Q0 a 1 1 t\n1 Q0 b 1 x t\n1 Q0 c\n1 Q0 d 1 nan t\n1 Q0 e 1 1 t\n")
    told = message(gw.read_run, path).splitlines()
    assert [line.split(" ")[0] for line in told] == [f"{path}:{n}:" for n in (2, 3, 4)]


def test_the_first_20_duplicates_are_shown_and_all_are_counted(write):
    rows = [f"1 0 doc{n} 1" for n in range(30)]
    path = write("\n".join(rows * 2))
    told = message(gw.read_qrels, path).splitlines()
    assert len(told) == 21
    assert told[0].startswith(
        f"{path}:31: document doc0 appears twice for topic 1, first at {path}:1"
    )
    assert told[20] == "... 30 problems in total; the first 20 are shown"


@pytest.mark.parametrize(
    "row",
    ["1 Q0 a 1 {} t", "1 Q0 a 1 1 t\n1 Q0 b {} t", "{}", "{0} Q0 a 1 1 t\n{0} Q0 a 1 1 t"],
)
def test_a_message_stays_readable_however_long_the_line(write, row):
    path = write(row.format("x" * 100_000) + "\n")
    told = message(gw.read_run, path)
    assert told.startswith(str(path))
    assert len(told) < len(str(path)) + 1000


# Paths


@pytest.mark.parametrize("read", [gw.read_qrels, gw.read_run])
def test_paths_that_cannot_be_read(tmp_path, write, read):
    told = {
        gw.read_qrels: "this folder contains no judgments, such as qrels/test.tsv",
        gw.read_run: "cannot be read (is a directory)",
    }
    assert message(read, tmp_path) == f"{tmp_path}: {told[read]}"
    missing = tmp_path / "missing.txt"
    assert message(read, missing) == f"{missing}: cannot be read (no such file or directory)"
    assert message(read, str(missing)).startswith(f"{missing}: cannot be read")
    inside = write("x") / "inside"
    assert message(read, inside) == f"{inside}: cannot be read (not a directory)"
    loop = tmp_path / "loop"
    loop.symlink_to(loop)
    assert message(read, loop).startswith(f"{loop}: cannot be read (")
    assert "cannot be read" in message(read, "x" * 5000)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission(write):
    path = write(RUN)
    path.chmod(0)
    assert message(gw.read_run, path) == f"{path}: cannot be read (permission denied)"


def test_a_path_that_no_system_has():
    assert "cannot be read" in message(gw.read_run, "run\0.txt")


def test_one_missing_file_among_several(tmp_path, write):
    runs = [write(RUN, "a"), tmp_path / "missing", write(RUN, "b")]
    with pytest.raises(InputError, match="missing: cannot be read"):
        gw.evaluate(QRELS_TABLE, runs, "AP")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_named_pipe_is_opened_once(tmp_path, monkeypatch):
    """Who opens a pipe twice loses what was written in between, and waits for ever."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    really_open = Path.open
    opened = []

    def open_later(path: Path, *args: Any, **options: Any) -> Any:
        if opened:
            time.sleep(0.2)
        opened.append(path)
        return really_open(path, *args, **options)

    monkeypatch.setattr(Path, "open", open_later)
    found = []
    writer = threading.Thread(target=lambda: os.system(f"printf '1 Q0 a 1 2.5 t\\n' > '{pipe}'"))

    def read() -> None:
        with contextlib.suppress(GradewiseError):
            found.append(gw.read_run(pipe).to_dict())

    reader = threading.Thread(target=read)
    reader.start()
    writer.start()
    reader.join(timeout=2)
    if reader.is_alive():  # let it go
        os.close(os.open(pipe, os.O_WRONLY))
        reader.join()
    writer.join()
    assert found == [{"1": {"a": 2.5}}]
