"""Write crowd_kit.json: random labels, and what crowd-kit makes of them.

    python -m venv /tmp/peers && /tmp/peers/bin/pip install crowd-kit==1.4.2 scikit-learn==1.5.2
    /tmp/peers/bin/python tests/meta/judging/record_crowd_kit.py

crowd-kit needs an older NumPy than gradewise does, so tests compare with what it gave once.
"""

import json
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

NONE = -1
SHAPES = ((3, 24, 3), (3, 24, 3), (3, 24, 3), (5, 60, 2), (4, 60, 4), (6, 60, 3), (8, 40, 4))
KNOWN = 8  # documents whose true grade is given


def main() -> None:
    """Write the cases beside this file."""
    cases = [make_case(seed, *shape) for seed, shape in enumerate(SHAPES)]
    told = (
        f"crowd-kit {version('crowd-kit')}: DawidSkene(n_iter=800, tol=-1) with and without true "
        f"labels of the first {KNOWN} documents; Wawa; by record_crowd_kit.py"
    )
    text = json.dumps({"source": told, "cases": cases}, separators=(",", ":"))
    (Path(__file__).parent / "crowd_kit.json").write_text(text + "\n", encoding="utf-8")


def make_case(seed: int, judges: int, documents: int, grades: int) -> dict[str, Any]:
    """Draw labels of judges with different skills, a few of them missing."""
    from crowdkit.aggregation import DawidSkene, Wawa

    rng = np.random.default_rng(seed)
    truth = rng.integers(0, grades, documents)
    skill = rng.uniform(0.45, 0.95, (judges, 1))
    drawn = rng.integers(0, grades, (judges, documents))
    labels = np.where(rng.random((judges, documents)) < skill, truth, drawn)
    labels[rng.random(labels.shape) < 0.15] = NONE
    labels[0, (labels == NONE).all(axis=0)] = 0
    rows = [
        (document, judge, labels[judge, document])
        for document in range(documents)
        for judge in range(judges)
        if labels[judge, document] != NONE
    ]
    data = pd.DataFrame(rows, columns=["task", "worker", "label"])
    known = pd.Series(truth[:KNOWN], index=pd.Index(range(KNOWN), name="task"), name="label")
    plain = DawidSkene(n_iter=800, tol=-1).fit(data)
    pinned = DawidSkene(n_iter=800, tol=-1).fit(data, true_labels=known)
    weighted = Wawa().fit_predict_proba(data)
    return {
        "labels": labels.tolist(),
        "grades": grades,
        "truth": truth[:KNOWN].tolist(),
        "chances": table(plain.probas_, documents, grades),
        "prior": rounded(plain.priors_.reindex(range(grades), fill_value=0.0)),
        "pinned": table(pinned.probas_, documents, grades),
        "weighted": table(weighted, documents, grades),
    }


def table(chances: pd.DataFrame, documents: int, grades: int) -> list[list[float]]:
    """Return chances as rows of documents and columns of grades."""
    full = chances.reindex(index=range(documents), columns=range(grades), fill_value=0.0)
    return rounded(full.fillna(0.0))


def rounded(values: Any) -> Any:
    return np.round(np.asarray(values, float), 9).tolist()


if __name__ == "__main__":
    main()
