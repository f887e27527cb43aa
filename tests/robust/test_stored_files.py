"""Model files and kept results: whatever happens to them, one sentence and no crash."""

import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gradewise as gw
from gradewise.errors import InputError
from gradewise.jobs import Result, Tell, do_all
from gradewise.keeping import kept_name

BOOSTERS = ["lightgbm", "xgboost"]


@pytest.fixture(scope="module", params=BOOSTERS)
def trained(request: pytest.FixtureRequest) -> tuple[str, gw.learn.TreeRanker, Any]:
    pytest.importorskip(request.param, reason=f"{request.param} is not installed")
    data = gw.simulate.features(10, 10, 10, seed=1)
    ranker = gw.learn.TreeRanker("AP", request.param, n_estimators=3, n_jobs=1).fit(data)
    return request.param, ranker, data


def damaged(content: bytes, number: int) -> list[bytes]:
    """Return copies with a byte changed, a part missing, or a part twice."""
    rng, found = random.Random(1), []
    for _ in range(number):
        low, high = sorted(rng.randrange(len(content)) for _ in range(2))
        byte = bytes([content[low] ^ (1 << rng.randrange(8))])
        found += [
            content[:low] + byte + content[low + 1 :],
            content[:low] + content[high:],
            content[:high] + content[low:],
        ]
    return found


def test_our_models_are_checked_by_their_checksum(
    trained: tuple[str, gw.learn.TreeRanker, Any], tmp_path: Path
) -> None:
    _, ranker, data = trained
    path = tmp_path / "model"
    ranker.save(path)
    content = path.read_bytes()
    np.testing.assert_array_equal(gw.learn.load_ranker(path).predict(data), ranker.predict(data))
    tried = [each for each in damaged(content, 40) if b"sha256" in each and each != content]
    for each in tried:
        path.write_bytes(each)
        with pytest.raises(InputError, match=r"damaged|is neither|safetensors"):
            gw.learn.load_ranker(path)
    assert len(tried) > 30


@pytest.mark.slow
def test_models_of_others_cannot_end_the_process(
    trained: tuple[str, gw.learn.TreeRanker, Any], tmp_path: Path
) -> None:
    name, ranker, data = trained
    path = tmp_path / "model"
    model: Any = ranker.model_
    model.save_model(str(path) + ".json" if name == "xgboost" else str(path))
    if name == "xgboost":
        Path(f"{path}.json").rename(path)
    content = path.read_bytes()
    np.testing.assert_allclose(gw.learn.load_ranker(path).predict(data), ranker.predict(data))
    for each in damaged(content, 2):
        path.write_bytes(each)
        try:
            gw.learn.load_ranker(path).predict(data)
        except gw.GradewiseError as error:
            assert "\n" not in str(error)  # noqa: PT017
    if name == "lightgbm":  # which ends the process that reads it
        path.write_bytes(content.replace(b"num_leaves=", b"num_leaves=9999", 1))
        with pytest.raises(InputError, match="lightgbm cannot read the file"):
            gw.learn.load_ranker(path)


class Part:
    """Work that counts how often it is done."""

    amount = 1
    done = 0

    def name(self, shared: None) -> str:
        return "part"

    def do(self, shared: None, tell: Tell) -> Result:
        type(self).done += 1
        return {"value": np.arange(10.0)}


def test_damaged_results_are_computed_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    Part.done = 0
    do_all([Part()], keep=tmp_path)
    path = tmp_path / kept_name("part")
    assert gw.__version__ in path.name
    content = path.read_bytes()
    do_all([Part()], keep=tmp_path)
    assert Part.done == 1
    cases = [b"", b"x", content[:-1], *damaged(content, 20)]
    for number, each in enumerate(cases, 2):
        path.write_bytes(each)
        (found,) = do_all([Part()], keep=tmp_path)
        assert found["value"].tolist() == list(range(10))
        assert Part.done == number
        assert path.read_bytes() == content
        assert capsys.readouterr().err.count("recomputing it\n") == 1
