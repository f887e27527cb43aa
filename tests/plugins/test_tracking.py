"""Scores as MLflow logs them: it takes plain names, and refuses full ones."""

from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from gradewise.measures.spellings import plain_name
from measures.complete import COMPLETE


@pytest.fixture
def mlflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    library = pytest.importorskip("mlflow", reason="mlflow is not installed")
    library.set_tracking_uri((tmp_path / "runs").as_uri())
    return library


def test_scores_are_logged(mlflow: Any) -> None:
    qrels, run = {"t": {"a": 2, "b": 1}}, {"t": {"x": 2.0, "a": 1.0}}
    scores = gw.evaluate(qrels, {"mine": run}, ["nDCG@10", "GAP(g=[0.5,0.5])@100", "AP"])
    plain = scores.to_dict(names="plain")["mine"]
    with mlflow.start_run() as logged:
        mlflow.log_metrics(plain)
        with pytest.raises(mlflow.exceptions.MlflowException, match="Names may only contain"):
            mlflow.log_metrics(scores.to_dict()["mine"])
    assert mlflow.get_run(logged.info.run_id).data.metrics == plain


def test_every_measure_has_a_name_that_mlflow_takes(mlflow: Any) -> None:
    named = {plain_name(gw.parse_measure(text)): 0.5 for text in COMPLETE}
    with mlflow.start_run() as logged:
        mlflow.log_metrics(named)
    assert mlflow.get_run(logged.info.run_id).data.metrics == named
