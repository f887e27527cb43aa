"""Loading a trained ranker of any kind."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from gradewise.learn.trees.boosters import booster_of_file

if TYPE_CHECKING:
    from gradewise.learn.nets.ranker import NetRanker
    from gradewise.learn.trees.ranker import TreeRanker

_ENOUGH = 1000  # bytes, to recognize a file


def load_ranker(path: str | os.PathLike[str]) -> "NetRanker | TreeRanker":
    """Read a ranker that `save` wrote: a net (safetensors), or trees (text or JSON).

    Examples
    --------
    >>> import tempfile
    >>> import gradewise as gw
    >>> data = gw.simulate.features(20, 10, 10)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     gw.learn.TreeRanker("AP", n_estimators=3, n_jobs=1).fit(data).save(f"{folder}/model")
    ...     gw.learn.load_ranker(f"{folder}/model")
    TreeRanker(n_estimators=3, n_jobs=1, objective='AP')
    """
    if Path(path).is_file():
        with Path(path).open("rb") as file:
            start = file.read(_ENOUGH)
        if booster_of_file(start) is not None:
            from gradewise.learn.trees.ranker import TreeRanker

            return TreeRanker.load(path)
    from gradewise.learn.nets.ranker import NetRanker

    return NetRanker.load(path)
