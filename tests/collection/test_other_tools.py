"""Files and objects as other tools have them, each with the note of what was assumed.

Formats follow the tools' own documentation and exports: Quepid 8, Elasticsearch 8 and OpenSearch 2,
BEIR, MTEB, MS MARCO, ranx 0.3, PyTerrier, ir_measures, Hugging Face datasets, NTCIR.
"""

import gzip
import io
import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import gradewise as gw
from gradewise.errors import InputError

ORDER = "read the order of documents as their ranks"


def qrels_of(source: Any) -> tuple[dict[str, dict[str, int]], tuple[str, ...]]:
    qrels = gw.read_qrels(io.BytesIO(source.encode()) if isinstance(source, str) else source)
    return qrels.to_dict(), qrels.assumed


def run_of(source: Any) -> tuple[dict[str, dict[str, float]], tuple[str, ...]]:
    run = gw.read_run(io.BytesIO(source.encode()) if isinstance(source, str) else source)
    return run.to_dict(), run.notes


# Quepid

RATINGS = 'query,docid,rating\n"I like, commas!",47,3\n =cmd,12180,0\nunrated,,'  # no last line end
SNAPSHOTS = """Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position,title
Legacy Search,10/10/18 18:05,2098,star wars,11,1,"Star Wars: Episode IV, A New Hope"
Legacy Search,10/10/18 18:05,2098,star wars,1893,2,Star Wars: Episode I
Legacy Search 2,10/15/18 18:05,2098,star trek,1894,1,Star Trek
Legacy Search 2,10/15/18 18:05,2098,star trek,10431,3,"a title with a
line end"
Legacy Search,10/15/18 18:05,2098,star trek,10592,5,Star Trek II
"""
DETAILED = (
    "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating\r\n"
    "OSC,Movies,6,star wars,11,1,Star Wars,3\r\n"
    "OSC,Movies,6,star wars,1893,2,Episode I,\r\n"
    "OSC,Movies,6,nothing found\r\n"
)


def test_ratings_of_quepid():
    told = "topic from 'query', document from 'docid', grade from 'rating'"
    expected = {"I like, commas!": {"47": 3}, "=cmd": {"12180": 0}}
    note = f"read as CSV: {told}; skipped 1 row without a grade"
    assert qrels_of(RATINGS) == (expected, (note,))
    assert qrels_of(RATINGS.replace("47,3", "47,3.0"))[0] == expected  # ratings are floats there


def test_snapshots_of_quepid_are_runs(tmp_path):
    path = tmp_path / "snapshots.csv"
    path.write_text(SNAPSHOTS)
    runs = gw.read_runs(path)
    note = (
        "read as CSV: topic from 'Query Text', document from 'Doc ID', rank from 'Doc Position', "
        "run from 'Snapshot Name'"
    )
    assert {name: run.to_dict() for name, run in runs.items()} == {
        "Legacy Search": {"star wars": {"11": -1, "1893": -2}, "star trek": {"10592": -5}},
        "Legacy Search 2": {"star trek": {"1894": -1, "10431": -3}},
    }
    assert [run.notes for run in runs.values()] == [(note,), (note,)]
    assert [run.tag for run in runs.values()] == ["Legacy Search", "Legacy Search 2"]
    scores = gw.evaluate({"star wars": {"1893": 1}, "star trek": {"10431": 1}}, path, "RR")
    assert scores["Legacy Search", "RR"] == 0.25
    assert scores["Legacy Search 2", "RR"] == 0.25
    assert scores.notes[:2] == [f"Legacy Search: {note}", f"Legacy Search 2: {note}"]


def test_a_detailed_case_of_quepid_is_both():
    qrels, assumed = qrels_of(DETAILED)
    assert qrels == {"star wars": {"11": 3}}
    assert assumed[0].endswith("grade from 'Rating'; skipped 2 rows without a grade")
    run, notes = run_of(DETAILED)
    assert run == {"star wars": {"11": -1, "1893": -2}}
    assert notes[0].endswith("rank from 'Doc Position'; skipped 1 row without a document")


def test_json_of_quepid_and_of_the_rated_ranking_evaluator():
    own = {"queries": [{"query": "one", "ratings": {"doca": 3, "docb": 0}}, {"query": "two"}]}
    expected = {"one": {"doca": 3, "docb": 0}}
    assert qrels_of(json.dumps(own)) == (expected, ("read as ratings of Quepid",))
    rre = {
        "id_field": "id",
        "index": "tmdb",
        "queries": [
            {
                "placeholders": {"$query": "one"},
                "relevant_documents": {"doca": {"gain": 3}, "docb": {"gain": 0}},
            }
        ],
    }
    note = "read as ratings of the Rated Ranking Evaluator"
    assert qrels_of(json.dumps(rre)) == (expected, (note,))
    with pytest.raises(InputError, match="found ratings of Quepid, expected a run; are qrels and"):
        run_of(json.dumps(own))


# Elasticsearch and OpenSearch

REQUEST = {
    "requests": [
        {
            "id": "amsterdam_query",
            "request": {"query": {"match": {"text": "amsterdam"}}},
            "ratings": [
                {"_index": "my-index-000001", "_id": "doc1", "rating": 0},
                {"_index": "my-index-000001", "_id": "doc2", "rating": 3},
                {"_index": "my-index-000001", "_id": "doc3", "rating": 1},
            ],
        },
        {
            "id": "berlin_query",
            "template_id": "match_one_field_query",
            "params": {"query_string": "berlin"},
            "ratings": [{"_index": "my-index-000001", "_id": "doc1", "rating": 1}],
        },
        {"id": "JFK query", "request": {"query": {"match_all": {}}}, "ratings": []},
    ],
    "metric": {"precision": {"k": 20, "relevant_rating_threshold": 1}},
}
RESPONSE = {
    "metric_score": 0.4,
    "details": {
        "my_query_id1": {
            "metric_score": 0.6,
            "unrated_docs": [{"_index": "my-index-000001", "_id": "1960795"}],
            "hits": [
                {
                    "hit": {"_index": "my-index-000001", "_id": "1528558", "_score": 7.0556192},
                    "rating": 1,
                },
                {
                    "hit": {"_index": "my-index-000001", "_id": "1960795", "_score": None},
                    "rating": None,
                },
            ],
            "metric_details": {"precision": {"relevant_docs_retrieved": 6, "docs_retrieved": 10}},
        },
        "my_query_id2": {"metric_score": 0.0, "unrated_docs": [], "hits": []},
    },
    "failures": {"third": {"error": "search_phase_execution_exception"}},
}


def test_requests_for_rank_evaluation_are_judgments():
    expected = {"amsterdam_query": {"doc1": 0, "doc2": 3, "doc3": 1}, "berlin_query": {"doc1": 1}}
    assert qrels_of(json.dumps(REQUEST)) == (expected, ("read as a _rank_eval request",))
    with pytest.raises(InputError, match="found a _rank_eval request, expected a run; are qrels"):
        run_of(json.dumps(REQUEST))


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("outer", [False, True])
def test_responses_of_rank_evaluation_are_both(outer, indent):
    text = json.dumps({"rank_eval": RESPONSE} if outer else RESPONSE, indent=indent)
    note = "read as a _rank_eval response"
    expected = {"my_query_id1": {"1528558": 1}}
    assert qrels_of(text) == (expected, (f"{note}; skipped 1 document without a rating",))
    ranked = {"my_query_id1": {"1528558": -1, "1960795": -2}}
    assert run_of(text) == (ranked, (f"{note}; {ORDER}",))


def test_what_is_wrong_with_a_request_is_named_by_its_path(tmp_path):
    wrong = json.loads(json.dumps(REQUEST))
    wrong["requests"][0]["ratings"][1]["rating"] = "high"
    path = tmp_path / "request.json"
    path.write_text(json.dumps(wrong))
    with pytest.raises(InputError) as caught:
        gw.read_qrels(path)
    told = "requests[0].ratings[1]: the grade 'high' is not a whole number"
    assert str(caught.value) == f"{path}: {told}"
    del wrong["requests"][0]["ratings"][1]["rating"]
    path.write_text(json.dumps(wrong))
    with pytest.raises(InputError, match="incomplete _rank_eval request"):
        gw.read_qrels(path)


# BEIR and MTEB

BEIR = "query-id\tcorpus-id\tscore\n1\t31715818\t1\n3\t14717500\t1\n"
BEIR_TABLE = {"1": {"31715818": 1}, "3": {"14717500": 1}}
BEIR_NOTE = "topic from 'query-id', document from 'corpus-id', grade from 'score'"


def test_a_folder_of_beir(tmp_path):
    folder = tmp_path / "scifact"
    (folder / "qrels").mkdir(parents=True)
    (folder / "corpus.jsonl").write_text('{"_id": "31715818", "title": "", "text": ""}\n')
    (folder / "queries.jsonl").write_text('{"_id": "1", "text": ""}\n')
    for split in ("train", "test", "dev"):
        (folder / "qrels" / f"{split}.tsv").write_text(BEIR)
    (folder / "qrels" / "train.tsv").write_text("query-id\tcorpus-id\tscore\n0\t1\t1\n")
    path = folder / "qrels" / "test.tsv"
    note = f"read {path}, not dev, train; read as TSV: {BEIR_NOTE}"
    assert qrels_of(folder) == (BEIR_TABLE, (note,))
    assert qrels_of(folder / "qrels") == (BEIR_TABLE, (note,))
    assert qrels_of(path) == (BEIR_TABLE, (f"read as TSV: {BEIR_NOTE}",))
    run = '{"1": {"31715818": 0.9, "5": 0.8}, "3": {"5": 1.0, "14717500": 0.5}}'
    (tmp_path / "run.json").write_text(run)
    scores = gw.evaluate(folder, tmp_path / "run.json", "RR")
    assert scores.summary().tolist() == [[0.75]]
    assert scores.notes == [f"qrels: {note}", "run: read as JSON: {topic: {document: score}}"]


def test_a_folder_without_a_split_for_testing(tmp_path):
    (tmp_path / "qrels").mkdir()
    for split in ("train", "dev"):
        (tmp_path / "qrels" / f"{split}.tsv").write_text(BEIR)
    with pytest.raises(InputError) as caught:
        gw.read_qrels(tmp_path)
    shown = ", ".join(str(tmp_path / "qrels" / f"{split}.tsv") for split in ("dev", "train"))
    told = f"this folder contains several sets of judgments; give one of {shown}"
    assert str(caught.value) == f"{tmp_path}: {told}"
    (tmp_path / "qrels" / "train.tsv").unlink()
    note = f"read {tmp_path / 'qrels' / 'dev.tsv'}; read as TSV: {BEIR_NOTE}"
    assert qrels_of(tmp_path) == (BEIR_TABLE, (note,))


@pytest.mark.parametrize(
    "place",
    [
        "qrels/test-00000-of-00001.parquet",
        "data/test-00000-of-00001.parquet",
        "default/test/0000.parquet",
        "en-qrels/test-00000-of-00001.parquet",
        "qrels/test.jsonl",
        "qrels/test.tsv.gz",
    ],
)
def test_folders_of_mteb(tmp_path, place):
    path = tmp_path / place
    path.parent.mkdir(parents=True)
    (tmp_path / "README.md").write_text("---\nconfigs: []\n---\n")
    for other in ("corpus", "queries"):
        (tmp_path / other).mkdir()
        (tmp_path / other / "test-00000-of-00001.parquet").write_bytes(b"")
    rows = [
        {"query-id": q, "corpus-id": d, "score": g}
        for q, j in BEIR_TABLE.items()
        for d, g in j.items()
    ]
    frame = pl.DataFrame(rows)
    kind = ""
    if path.suffix == ".parquet":
        frame.with_columns(pl.col("score").cast(pl.Float64)).write_parquet(path)
    elif path.suffix == ".jsonl":
        frame.write_ndjson(path)
        kind = "as JSON lines: "
    else:
        path.write_bytes(gzip.compress(BEIR.encode()))
        kind = "as TSV: "
    assert qrels_of(tmp_path) == (BEIR_TABLE, (f"read {path}; read {kind}{BEIR_NOTE}",))


def test_shards_of_a_split(tmp_path):
    (tmp_path / "qrels").mkdir()
    frame = pl.DataFrame(
        {"query-id": ["1", "3"], "corpus-id": ["31715818", "14717500"], "score": 1}
    )
    for number in (0, 1):
        path = tmp_path / "qrels" / f"test-0000{number}-of-00002.parquet"
        frame[number : number + 1].write_parquet(path)
    first = tmp_path / "qrels" / "test-00000-of-00002.parquet"
    assert qrels_of(tmp_path) == (BEIR_TABLE, (f"read {first}; read {BEIR_NOTE}",))


def test_predictions_of_mteb():
    meta = {"model_name": "a/model", "revision": "1"}
    table = {"1": {"31715818": 0.5, "2": 0.25}}
    content = {"mteb_model_meta": meta, "default": {"test": table}}
    assert run_of(json.dumps(content)) == (table, ("read as predictions of MTEB",))
    content["default"]["dev"] = table
    with pytest.raises(InputError, match="predictions for default/test, default/dev; keep one"):
        run_of(json.dumps(content))


# MS MARCO


def test_files_of_ms_marco():
    qrels = "300674\t0\t7067032\t1\n125705\t0\t7067056\t1\n"
    assert qrels_of(qrels) == ({"300674": {"7067032": 1}, "125705": {"7067056": 1}}, ())
    run = "1124703\t8766037\t1\n1124703\t8021997\t2\n"
    assert run_of(run) == (
        {"1124703": {"8766037": -1, "8021997": -2}},
        (
            "read the third column as ranks (1 is best); if it contains scores, set columns to "
            "topic,doc,score",
        ),
    )


# Objects


def test_frames_of_pyterrier():
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    results = pandas.DataFrame(
        {
            "qid": ["1", "1"],
            "docid": [7, 8],
            "docno": ["a", "b"],
            "rank": [0, 1],
            "score": [2.5, 1.5],
            "query": ["some words", "some words"],
        }
    )
    told = "read topic from 'qid', document from 'docno', score from 'score'"
    assert run_of(results) == ({"1": {"a": 2.5, "b": 1.5}}, (told,))
    qrels = pandas.DataFrame({"qid": ["1"], "docno": ["a"], "label": [2], "iteration": ["0"]})
    told = "read topic from 'qid', document from 'docno', grade from 'label'"
    assert qrels_of(qrels) == ({"1": {"a": 2}}, (told,))


def test_rows_of_ir_measures():
    ir_measures = pytest.importorskip("ir_measures", reason="ir_measures is not installed")
    qrels = [ir_measures.Qrel("1", "a", 2), ir_measures.Qrel("1", "b", 0)]
    run = [ir_measures.ScoredDoc("1", "b", 2.5), ir_measures.ScoredDoc("1", "a", 1.5)]
    ids = "read topic from 'query_id', document from 'doc_id'"
    for given in (qrels, tuple(qrels), iter(qrels), (row for row in qrels)):
        assert qrels_of(given) == ({"1": {"a": 2, "b": 0}}, (f"{ids}, grade from 'relevance'",))
    for given in (run, iter(run)):
        assert run_of(given) == ({"1": {"b": 2.5, "a": 1.5}}, (f"{ids}, score from 'score'",))
    scores = gw.evaluate(qrels, run, "RR")
    assert scores.summary().tolist() == [[0.5]]
    assert len(scores.notes) == 2
    assert gw.evaluate(iter(qrels), {"mine": iter(run)}, "RR").runs == ("mine",)
    text = "1 0 a 2\n"
    read = ir_measures.read_trec_qrels(text)  # a generator
    assert qrels_of(read)[0] == {"1": {"a": 2}}


def test_datasets_of_hugging_face():
    datasets = pytest.importorskip("datasets", reason="datasets is not installed")
    rows = {"query-id": ["1", "3"], "corpus-id": ["31715818", "14717500"], "score": [1, 1]}
    dataset = datasets.Dataset.from_dict(rows)
    note = (f"read {BEIR_NOTE}",)
    for given in (
        dataset,
        datasets.DatasetDict({"train": dataset.select([0]), "test": dataset}),
        dataset.to_iterable_dataset(),
        dataset.select([1, 0]).select([1, 0]),
        list(dataset),
    ):
        assert qrels_of(given) == (BEIR_TABLE, note)
    with pytest.raises(InputError, match="choose one of the splits dev, train"):
        gw.read_qrels(datasets.DatasetDict({"dev": dataset, "train": dataset}))
    assert gw.evaluate(dataset, dataset, "AP").summary().tolist() == [[1.0]]


class Table:
    """What a dataset of Hugging Face does, as far as it matters here."""

    def __init__(self, table: Any):
        self.table, self.column_names = table, table.column_names

    def with_format(self, kind: str) -> "Table":
        assert kind == "arrow"
        return self

    def iter(self, batch_size: int) -> Any:
        return iter([self.table[:1], self.table[1:]])


def test_an_object_that_does_what_datasets_do(monkeypatch):
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    monkeypatch.setattr(Table, "__module__", "datasets.arrow_dataset")
    table = pa.table(
        {"query-id": ["1", "3"], "corpus-id": ["31715818", "14717500"], "score": [1, 1]}
    )
    assert qrels_of(Table(table)) == (BEIR_TABLE, (f"read {BEIR_NOTE}",))


def test_files_of_ranx():
    """As `Qrels.save` and `Run.save` of ranx 0.3 write them: indented by two."""
    qrels = {"q_1": {"d_12": 5, "d_25": 3}, "q_2": {"d_11": 6}}
    run = {"q_1": {"d_12": 0.9, "d_23": 0.8}, "q_2": {"d_11": 0.9}}
    note = "read as JSON: {topic: {document: grade}}"
    assert qrels_of(json.dumps(qrels, indent=2)) == (qrels, (note,))
    note = "read as JSON: {topic: {document: score}}"
    assert run_of(json.dumps(run, indent=2)) == (run, (note,))


def test_files_of_ranx_as_it_writes_them(tmp_path):
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    table = {"q_1": {"d_12": 0.9, "d_23": 0.8}, "q_2": {"d_11": 0.9}}
    for kind in ("json", "trec", "parquet"):
        path = tmp_path / f"run.{kind}"
        ranx.Run(table, name="bm25").save(str(path))
        assert run_of(path)[0] == table


def test_ntcir():
    assert qrels_of("0201 clue-1 L1\n0201 clue-2 L0\n") == (
        {"0201": {"clue-1": 1, "clue-2": 0}},
        ("read 3 columns as topic, document, grade",),
    )
    run = "<SYSDESC>BM25</SYSDESC>\n0201 0 clue-2 1 14.7 ME-1\n"
    assert run_of(run) == ({"0201": {"clue-2": 14.7}}, ("skipped the <SYSDESC> line",))


def test_trec_needs_no_assumption():
    assert qrels_of("301 0 FR940202 1\n") == ({"301": {"FR940202": 1}}, ())
    assert run_of("301 Q0 FR940202 1 14.7 tag\n") == ({"301": {"FR940202": 14.7}}, ())


def test_parquet_of_gradewise_needs_no_assumption(tmp_path: Path):
    gw.write_run(gw.read_run({"1": {"a": 2.0}}), tmp_path / "run.parquet")
    gw.write_qrels(gw.read_qrels({"1": {"a": 2}}), tmp_path / "qrels.parquet")
    assert run_of(tmp_path / "run.parquet") == ({"1": {"a": 2.0}}, ())
    assert qrels_of(tmp_path / "qrels.parquet") == ({"1": {"a": 2}}, ())
