"""Training writes no file: it works in a read-only installation, without a home folder."""

import os
import subprocess
import sys
from pathlib import Path

import gradewise

PROGRAM = """
import os
import sys

def refuse_writing(event, arguments):
    writes = event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
    if writes or event in ("os.mkdir", "os.rename", "os.remove"):
        raise PermissionError(f"{event} {arguments[0]}")

sys.addaudithook(refuse_writing)
try:
    open("written", "w")
except PermissionError:
    print("nothing can be written")

import numpy as np
import gradewise as gw

data = gw.simulate.features(6, 12, 10)
scores = np.linspace(0, 1, len(data.grades))
for measure in ("GAP", "nDCG@5", "ERR", "RR"):
    gradient, hessian = gw.learn.objective(measure)(data.grades, scores, None, data.sizes)
    print(measure, gw.learn.metric(measure)(data.grades, scores, None, data.sizes)[1] > 0)
for algorithm, objective in (("lambdarank", "GAP"), ("softrank", "GAP"), ("softrank", "nDCG")):
    ranker = gw.learn.NetRanker(algorithm, objective, epochs=2).fit(data)
    print(algorithm, objective, ranker.score(data) > 0)
print(sorted({"torch", "lightgbm", "xgboost"} & set(sys.modules)))
"""


def test_training_needs_no_place_to_write(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    folder.chmod(0o555)
    environment = {
        name: value
        for name, value in os.environ.items()
        if name not in ("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP")
        and not name.startswith("XDG_")
    }
    environment["PYTHONDONTWRITEBYTECODE"] = "1"
    environment["PYTHONPATH"] = str(Path(gradewise.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    folder.chmod(0o755)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "nothing can be written",
        *(f"{measure} True" for measure in ("GAP", "nDCG@5", "ERR", "RR")),
        "lambdarank GAP True",
        "softrank GAP True",
        "softrank nDCG True",
        "[]",
    ]
