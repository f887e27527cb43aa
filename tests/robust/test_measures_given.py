"""Measures as people give them: any text is answered in little time, any number by a sentence."""

import time
import warnings
from pathlib import Path

import numpy as np
import pytest

import gradewise as gw
from command import Call
from gradewise.measures.parameters import PARAMETERS
from gradewise.measures.registry import PLACES, find_measure

LONG = 50_000
TEXTS = {
    "spaces": "P@" + " " * LONG + "x(",
    "spaces around": "P" + " " * LONG + "@" + " " * LONG + "@",
    "brackets": "P(" * LONG,
    "closed": "P" + ")" * LONG,
    "digits": "P@" + "1" * LONG,
    "digits and a letter": "P@" + "1" * LONG + "x",
    "signs": "P(rel=" + "-" * LONG + "1)",
    "commas": "AP" + "," * LONG,
    "cutoffs": "P@" + "1," * 2000,
    "underscores": "P_" * LONG,
    "names of cutoffs": "a_at_" * LONG,
    "names": "AP," * 2000 + "x",
    "keywords": "P(" + ",".join(f"a{n}=x" for n in range(5000)) + ")",
    "list": "GAP(g=[" + "1," * LONG + "])",
    "presets": "RBP(gains=" + "=@" * LONG + ")",
    "nested": "GAP(g=" + "[" * LONG + "]" * LONG + ")",
}
NUMBERS = [
    "nan",
    "inf",
    "1e400",
    "1e308",
    "-1e308",
    "5e-324",
    "-1",
    "0",
    "1e20",
    "9" * 30,
    "9" * 500,
]
VALUES = [
    *NUMBERS,
    "True",
    "None",
    "''",
    "[]",
    "[1e308,1e308]",
    "[nan]",
    "{}",
    "{1:1e300}",
    "1j",
    "...",
]


@pytest.mark.parametrize("name", TEXTS)
def test_time_is_linear_in_the_text(name: str) -> None:
    begin = time.monotonic()
    with pytest.raises(gw.GradewiseError) as refused:
        gw.parse_measure(TEXTS[name])
    # A text of these lengths took from 40 seconds to days where time was not linear.
    assert time.monotonic() - begin < 10
    assert len(str(refused.value)) < 1000


@pytest.mark.parametrize("text", ["P@1or", "AP(rel=1or 2)", "nDCG(dcg='\\d')"])
def test_nothing_of_python_s_parser_is_heard(text: str) -> None:
    """Python warns of such texts; as an error, the warning would only be another refusal."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        with pytest.raises(gw.GradewiseError):
            gw.parse_measure(text)
    assert heard == []


@pytest.mark.parametrize(
    "token", ["1" * 200_000 + "x", "1" * 200_000, "." * 200_000, "1e" * 100_000]
)
def test_one_long_token_does_not_stall_reading(token: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    begin = time.monotonic()
    for text in (f"t Q0 d 1 {token} r\n", f"t,d,{token}\n", f'{{"t": {{"d": {token}}}}}'):
        path.write_text(text)
        for read in (gw.read_run, gw.read_qrels):
            with pytest.raises(gw.InputError):
                read(path)
    assert time.monotonic() - begin < 10


def parameters_of(name: str) -> list[str]:
    return sorted(
        {p for kind in find_measure(name).__mro__ for p in vars(kind).get("__annotations__", ())}
        & PARAMETERS.keys()
    )


@pytest.mark.parametrize("name", sorted({n for names in PLACES.values() for n in names}))
def test_absurd_parameters_are_refused_or_computed(name: str) -> None:
    qrels = {"t1": {"a": 1, "b": 2, "c": 0, "d": 3}, "t2": {"a": 3, "z": 0, "y": 1}}
    runs = {"r": {"t1": {"a": 3.0, "x": 2.5, "b": 2.0, "c": 1.0}, "t2": {"z": 2.0, "a": 1.0}}}
    asked = [f"{name}({p}={value})" for p in parameters_of(name) for value in VALUES]
    for text in [*asked, *(f"{name}@{value}" for value in NUMBERS)]:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            try:
                values = gw.evaluate(qrels, runs, text).values
            except gw.GradewiseError:
                continue
        assert np.isfinite(values[~np.isnan(values)]).all(), text


def test_a_measure_without_any_value_fails(run: Call, tmp_path: Path) -> None:
    qrels, ranking = tmp_path / "qrels.txt", tmp_path / "run.txt"
    qrels.write_text("t 0 a 1\n")
    ranking.write_text("t Q0 a 1 1 r\n")
    done = run("eval", qrels, ranking, "-m", "AUC,AP")
    assert done.code == 1
    assert "AUC is undefined on every topic for 1 run" in done.err
    assert "1.0000" in done.out
