"""Model files and kept results with a little damage: what they were, or a refusal in a sentence."""

import contextlib
import io
import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import gradewise as gw
from gradewise.keeping import read_kept, write_kept

_DATA = gw.simulate.features(4, 6, 10, seed=1)
_EDITS = (
    *((b'"F32"', b'"F64"'), (b'"shape":[', b'"shape":[9'), (b"weight0", b"weight1")),
    *((b"tree", b"treee"), (b"=", b"==="), (b"sha256", b"sha257"), (b"0", b"9"), (b'"', b"'")),
    *((b"NetRanker", b"TreeRanker"), (b"parameters", b"nothing"), (b"{", b"[["), (b"1", b"-1e999")),
)


def refused(error: gw.GradewiseError, *, clean: bool = False, lines: int | None = None) -> str:
    """See that a refusal says something, and that nothing clean was refused."""
    told = str(error)
    if clean or not told.strip() or (lines is not None and len(told.splitlines()) > lines):
        raise AssertionError(f"refused: {told!r}")
    return "refused"


@cache
def folder() -> Path:
    """Return a folder for this process, which goes with it."""
    _folders.append(tempfile.TemporaryDirectory())
    return Path(_folders[0].name)


_folders: list[tempfile.TemporaryDirectory[str]] = []


@cache
def _models() -> list[tuple[bytes, Any]]:
    """Return model files of ours, and what they predict."""
    rankers: list[Any] = [gw.learn.NetRanker(objective="AP", epochs=1).fit(_DATA)]
    with contextlib.suppress(gw.GradewiseError):  # not installed
        rankers.append(gw.learn.TreeRanker("AP", n_estimators=2, n_jobs=1).fit(_DATA))
    found = []
    for ranker in rankers:
        ranker.save(folder() / "model")
        found.append(((folder() / "model").read_bytes(), ranker.predict(_DATA)))
    return found


@cache
def _kept() -> bytes:
    write_kept(folder() / "result.kept", {"value": np.arange(9.0), "other": np.eye(2)})
    return (folder() / "result.kept").read_bytes()


def spoiled(rng: random.Random, content: bytes) -> bytes:
    """Change a file here and there: bytes, parts, and words that it has."""
    for _ in range(rng.choice((0, 1, 1, 1, 2, 5))):
        low, high = sorted(rng.randrange(len(content) + 1) for _ in range(2))
        kind = rng.randrange(6)
        if kind == 0:
            content = content[:low] + rng.randbytes(rng.randrange(1, 9)) + content[low + 1 :]
        elif kind == 1:
            content = content[:low]
        elif kind == 2:
            content = content[:low] + content[high:]
        elif kind == 3:
            content = content[:high] + content[low:]
        elif kind == 4:
            content = content.replace(*rng.choice(_EDITS), rng.choice((1, -1)))
        else:
            content = content[: rng.randrange(9)] + content[low:]
    return content


def check_model(rng: random.Random) -> str:
    """Load a model with damage; if that can be done, it predicts what it did before."""
    content, predicted = rng.choice(_models())
    given = spoiled(rng, content)
    if content[:4] == b"tree" and b"sha256" not in given:
        return "tried in another process"  # which takes long; see tests/robust
    path = folder() / "model"
    path.write_bytes(given)
    try:
        found = gw.learn.load_ranker(path).predict(_DATA)
    except gw.GradewiseError as error:
        return refused(error, lines=1)
    np.testing.assert_array_equal(found, predicted)
    return "loaded"


def check_kept(rng: random.Random) -> str:
    """Take up a kept result with damage; if that can be done, it is what was kept."""
    path = folder() / "result.kept"
    path.write_bytes(spoiled(rng, _kept()))
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        found = read_kept(path)
    if found is None:
        assert said.getvalue().count("\n") == 1, said.getvalue()
        return "refused"
    assert found["value"].tolist() == list(range(9))
    assert found["other"].tolist() == [[1, 0], [0, 1]]
    return "taken up"
