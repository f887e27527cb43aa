"""What a report's page carries: packed numbers that unpack to what the library computes."""

import base64
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.collection.sources.streams import Stream
from gradewise.errors import OptionError
from gradewise.report.packing import pack, script_json
from gradewise.report.page import page_html
from gradewise.report.standings import find_standings
from gradewise.report.thresholds import pivot_triangles, simplex_grid


def unpacked(packed: dict[str, Any]) -> np.ndarray[Any, Any]:
    """Undo `pack`."""
    data = base64.b64decode(packed["data"])
    return np.frombuffer(data, np.dtype(packed["kind"]).newbyteorder("<")).reshape(packed["shape"])


@pytest.fixture(scope="module")
def sample() -> Any:
    return gw.simulate.collection(topics=12, runs=6, depth=60, grades=3, pool_depth=15, seed=3)


@pytest.fixture(scope="module")
def content(sample: Any) -> dict[str, Any]:
    return gw.report.make_report(sample.qrels, sample.runs, ["AP", "nDCG@10", "GAP"]).content


def test_packed_values_are_those_of_evaluate(sample: Any, content: dict[str, Any]) -> None:
    scores = gw.evaluate(sample.qrels, sample.runs, ["AP", "nDCG@10", "GAP"])
    assert content["runs"] == list(scores.runs)
    assert content["topics"] == list(scores.topics)
    values = np.moveaxis(unpacked(content["values"]), 0, 2)
    np.testing.assert_allclose(values, scores.values, atol=1e-7)
    np.testing.assert_array_equal(unpacked(content["means"]), scores.summary().T)


def test_pivot_triangles_give_graded_measures(sample: Any) -> None:
    # MATH.md: eGAP = Σ_j g_j Σ_{i >= j} A[i, j] / RB(j), GAP = Σ g_j A[i, j] / Σ_j g_j RB(j).
    judged = gw.judge(sample.qrels, sample.runs)
    triangles, g = pivot_triangles(judged), np.array([0.2, 0.3, 0.5])
    _, column = np.tril_indices(3)
    at_least = np.cumsum(judged.counts[:, :0:-1], axis=1)[:, ::-1]
    weights = np.where(at_least > 0, g / np.maximum(at_least, 1), 0)[:, column]
    egap = (triangles * weights).sum(axis=2)
    gap = triangles @ g[column] / (at_least @ g)
    expected = gw.score_judged(judged, ["eGAP(g=[0.2,0.3,0.5])", "GAP(g=[0.2,0.3,0.5])"])
    np.testing.assert_allclose(np.stack([egap, gap], axis=2), expected.values, atol=1e-12)


def test_standings_are_those_of_compare(sample: Any) -> None:
    scores = gw.evaluate(sample.qrels, sample.runs, "AP")
    found, part = find_standings(scores, 0), gw.compare(scores).parts[0]
    places = [scores.runs.index(run) for run in part.runs]
    np.testing.assert_allclose(found.mean[places], part.mean)
    np.testing.assert_allclose(found.low[places], part.low)
    pairs = found.differs[np.ix_(places, places)][part.first, part.second]
    np.testing.assert_array_equal(pairs, part.corrected <= 0.05)
    assert found.letters is not None
    assert part.letters == tuple(found.letters[place] for place in places)


@pytest.mark.parametrize(("levels", "points"), [(1, 1), (2, 101), (3, 231), (4, 220), (9, 165)])
def test_grids_cover_the_simplex_with_few_points(levels: int, points: int) -> None:
    # Ways to write n as an ordered sum of c parts: C(n + c - 1, c - 1); n = 9 for 4, 3 for 9.
    grid = simplex_grid(levels)
    assert grid.shape == (points, levels)
    np.testing.assert_allclose(grid.sum(axis=1), 1)
    assert (grid >= 0).all()
    assert {tuple(corner) for corner in np.eye(levels)} <= {tuple(row) for row in grid}


def test_json_cannot_leave_its_script_element() -> None:
    name = "</script><!--&\u2028\u2029é"
    text = script_json({"a": name})
    assert not set("<>&\u2028\u2029é") & set(text)
    assert json.loads(text) == {"a": name}
    with pytest.raises(ValueError):
        script_json([float("nan")])


def test_templates_are_filled_once() -> None:
    page = page_html("{{data}}", ["{{script}} <b>"], '"{{style}}"')
    assert "<h1>{{data}}</h1>" in page
    assert "<p>{{script}} &lt;b&gt;</p>" in page
    assert '>"{{style}}"</script>' in page


def test_a_name_that_is_no_unicode_can_be_written(tmp_path: Path) -> None:
    qrels, run = {"t": {"a": 1}}, {"t": {"a": 1.0}}
    gw.report.make_report(qrels, {"x\udcff": run}, "AP").save(tmp_path / "report.html")
    assert "<h1>" in (tmp_path / "report.html").read_text(encoding="utf-8")


def test_the_same_input_gives_the_same_bytes(sample: Any) -> None:
    pages = {gw.report.make_report(sample.qrels, sample.runs, "AP").html for _ in range(2)}
    assert len(pages) == 1


def test_files_are_named_with_size_and_digest(tmp_path: Path) -> None:
    (tmp_path / "q.txt").write_bytes(b"t 0 a 1\n")
    (tmp_path / "r.txt").write_bytes(b"t Q0 a 1 1 x\n")
    made = gw.report.make_report(tmp_path / "q.txt", tmp_path / "r.txt", "AP").content["made"]
    # sha256sum of the file
    digest = "33e5853a552081a8cf2db7abcc1eb7489e3b774489d8c9f722e537af1ae72d0c"
    assert made["inputs"][0][:3] == ["qrels", str(tmp_path / "q.txt"), 8]
    assert made["inputs"][0][3] == digest
    assert made["inputs"][1][0] == "r"


def test_one_run_one_topic_one_grade() -> None:
    report = gw.report.make_report({"t": {"a": 1}}, {"only": {"t": {"a": 1.0}}})
    assert report.summary == (
        "only scores 1.000 on 1 topic by AP.",
        "There is no other run to compare it with.",
        "All documents in the top 10 are judged.",
    )


def test_nothing_relevant_and_nothing_found() -> None:
    runs = {"a": {"t": {"x": 1.0}}, "b": {"u": {"y": 1.0}}}
    report = gw.report.make_report({"t": {"a": 0}, "u": {"b": 0}}, runs)
    assert "2 judged topics without a relevant document" in report.notes
    assert report.content["grades"] == []


def test_geometric_means_are_refused() -> None:
    with pytest.raises(OptionError, match="GMAP is a geometric mean"):
        gw.report.make_report({"t": {"a": 1}}, {"t": {"a": 1.0}}, "GMAP")


def test_arrays_are_little_endian() -> None:
    assert base64.b64decode(pack([1.0], "f4")["data"]) == b"\x00\x00\x80\x3f"


def test_each_run_is_read_once(
    sample: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scores, digests and distances come from the same pass over a file."""
    paths = {}
    for name, run in sample.runs.items():
        paths[name] = tmp_path / f"{name}.txt"
        gw.write_run(run, paths[name])
    opened: list[str] = []
    really = Stream.open

    def counted(stream: Stream) -> object:
        opened.append(stream.name)
        return really(stream)

    monkeypatch.setattr(Stream, "open", counted)
    report = gw.report.make_report(sample.qrels, paths)
    assert sorted(opened) == sorted(map(str, paths.values()))
    for name, place, size, digest in report.content["made"]["inputs"][1:]:
        data = paths[name].read_bytes()
        assert (place, size) == (str(paths[name]), len(data))
        assert digest == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("ties", ["trec", "input", "random"])
@pytest.mark.parametrize("depth", [None, 5])
def test_the_first_documents_are_all_that_distances_need(ties: Any, depth: int | None) -> None:
    """The leads on the page are those of whole lists."""
    made = gw.simulate.collection(
        topics=8, runs=4, depth=60, pool_depth=5, ties=0.4, missing=0.2, seed=6
    )
    report = gw.report.make_report(made.qrels, made.runs, ["AP"], ties=ties, seed=3, depth=depth)
    shown = report.content["distance"]
    assert len(shown["rows"]) == 3
    best = shown["best"]
    for row in shown["rows"]:
        found = gw.distance.med(
            made.runs[best], made.runs[row["run"]], made.qrels, "SDCG@10", depth, ties=ties, seed=3
        )
        numbers = (found.known, *found.difference, found.value)
        told = [row[name] for name in ("known", "low", "high", "distance")]
        assert told == [round(number, 6) for number in numbers]


def test_sets_of_topics_are_views_of_one_page(sample: Any) -> None:
    topics = {"first": "^10[1-5]$", "rest": "^1(0[6-9]|1)"}
    report = gw.report.make_report(sample.qrels, sample.runs, ["AP", "GAP"], topics=topics)
    scores = gw.evaluate(sample.qrels, sample.runs, ["AP", "GAP"])
    for view, (name, part) in zip(
        report.content["views"], scores.by_topics(topics).items(), strict=True
    ):
        assert (view["name"], view["topics"]) == (name, list(part.topics))
        np.testing.assert_array_equal(unpacked(view["means"]), part.summary().T)
        alone = gw.report.make_report(sample.qrels, sample.runs, ["AP", "GAP"], topics=part.topics)
        for key in ("counts", "letters", "differs", "distance", "explorer", "coverage", "summary"):
            assert view[key] == alone.content[key]
    assert "first: kept 5 of 12 topics (^10[1-5]$)" in report.notes
    assert sum(sentence.startswith("rest: ") for sentence in report.summary) == 3


def test_bounds_of_leads_on_some_topics_are_means_over_them(sample: Any) -> None:
    chosen = "102,107,111"
    made = gw.report.make_report(sample.qrels, sample.runs, "AP", topics=chosen).content["distance"]
    for row in made["rows"]:
        found = gw.distance.med(
            sample.runs[made["best"]], sample.runs[row["run"]], sample.qrels, "SDCG@10"
        )
        by_topic = [found[topic] for topic in chosen.split(",")]
        assert row["known"] == pytest.approx(np.mean([each.known for each in by_topic]), abs=1e-6)
        assert row["distance"] == pytest.approx(
            np.mean([each.value for each in by_topic]), abs=1e-6
        )


def test_scores_without_judgments(sample: Any) -> None:
    scores = gw.evaluate(sample.qrels, sample.runs, ["AP", "nDCG@10", "GAP"])
    saved = gw.read_scores(scores.per_topic)
    report = gw.report.report_scores(saved, topics="^1")
    whole = gw.report.make_report(sample.qrels, sample.runs, ["AP", "nDCG@10", "GAP"], topics="^1")
    same = ("runs", "topics", "measures", "values", "means", "low", "high", "letters", "differs")
    for key in (*same, "tau", "quantiles"):
        assert report.content[key] == whole.content[key]
    assert report.summary == whole.summary[:2]
    for key in ("counts", "explorer", "coverage", "distance"):
        assert report.content[key] is None
    assert report.content["grades"] == []
    assert report.notes == (
        "kept 12 of 12 topics (^1)",
        "made from scores: relevance thresholds and judgments are left out",
    )


def test_many_runs_have_tiers() -> None:
    made = gw.simulate.collection(topics=15, runs=24, depth=30, seed=3)
    scores = gw.evaluate(made.qrels, made.runs, "AP")
    content = gw.report.report_scores(scores).content
    assert content["letters"] == [None]
    by_run = dict(gw.compare(scores).runs.select("run", "tier").iter_rows())
    assert dict(zip(content["runs"], content["tiers"][0], strict=True)) == by_run
    assert content["meaning"][0].startswith("A tier starts at the first run that is significantly")


def test_runs_of_one_file_are_read_once_and_share_its_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "both.csv"
    rows = [f"{run},1,d{n},{9 - n}\n" for run in ("a", "b") for n in range(4)]
    path.write_text("run,qid,docid,score\n" + "".join(rows))
    opened: list[str] = []
    really = Stream.open

    def counted(stream: Stream) -> object:
        opened.append(stream.name)
        return really(stream)

    monkeypatch.setattr(Stream, "open", counted)
    report = gw.report.make_report({"1": {"d1": 1}}, path, ["AP"])
    assert len(opened) == 2  # once for the names of the runs, once for their rows
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    size = path.stat().st_size
    inputs = [tuple(each) for each in report.content["made"]["inputs"][1:]]
    assert inputs == [(run, str(path), size, digest) for run in ("a", "b")]
