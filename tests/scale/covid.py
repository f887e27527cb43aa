"""The 143 runs of TREC-COVID's first round, for one process and as a table."""

import io
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

import gradewise as gw


@cache
def covid(folder: Path) -> tuple[Any, dict[str, Any], Any]:
    """Return the judgments, the runs by name, and the rows of all runs in random order."""
    qrels = gw.read_qrels(folder / "qrels" / "qrels.covid-round1.txt.gz")
    runs = {}
    with tarfile.open(folder / "trec-covid-round1" / "round1-runs.tar.xz") as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None:
                name = Path(member.name).name
                runs[name] = gw.read_run(io.BytesIO(file.read()), name)
    assert len(runs) == 143
    columns: dict[str, list[Any]] = {"run": [], "topic": [], "doc": [], "score": []}
    for name, run in runs.items():
        columns["run"] += [name] * len(run)
        columns["topic"] += run.topic_column()
        columns["doc"] += run.docs.to_list()
        columns["score"] += run.numbers.tolist()
    table = pa.table(columns)
    order = np.random.default_rng(0).permutation(table.num_rows)
    return qrels, runs, table.take(pa.array(order))
