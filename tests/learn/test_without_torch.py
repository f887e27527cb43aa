"""Only losses for torch models need torch: all else works where it cannot be imported."""

import subprocess
import sys

PROGRAM = """
import sys

class Hiding:
    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, name, path=None, target=None):
        hidden = name.partition(".")[0] == "torch"
        return None if hidden else self.finder.find_spec(name, path, target)

sys.meta_path = [Hiding(finder) for finder in sys.meta_path]

import tempfile
from pathlib import Path

import gradewise as gw

data = gw.simulate.features(12, 10, 10)
folder = Path(tempfile.mkdtemp())
gw.learn.write_letor(data, folder / "data.txt")
data = gw.learn.read_letor(folder / "data.txt")
net = gw.learn.NetRanker(epochs=2).fit(data)
print(net.score(data) > 0)
small = {"n_estimators": 2, "n_jobs": 1}
for booster in ("lightgbm", "xgboost"):
    trees = gw.learn.TreeRanker("GAP", booster, **small).fit(data)
    trees.save(folder / "model")
    print(gw.learn.load_ranker(folder / "model").score(data) > 0)
names = ["lightgbm", "lambdarank"]
found = gw.learn.crossval(data, names, "GAP", "AP", folds=3, seeds=1, trees=small, epochs=2)
print(found.mean.shape)
advice = gw.learn.recommend(data, "AP", candidates=["GAP"], folds=3, seeds=1, epochs=2)
print(advice.frame.shape[0])
print(gw.learn.local_optimality(net, data, "AP", directions=2).change.shape)
print([name for name in sys.modules if name.partition(".")[0] == "torch"])
"""


def test_all_but_losses_works_without_torch() -> None:
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == ["True", "True", "True", "(2, 1, 1)", "2", "(2, 10)", "[]"]
