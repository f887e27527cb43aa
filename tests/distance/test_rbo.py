"""Rank-biased overlap equals its definition on prefixes so long that the rest weighs nothing."""

import itertools
import random
import re
from collections.abc import Sequence
from typing import Any

import pytest

import gradewise as gw
from oracles.overlap import rbo_extrapolated, rbo_maximum, rbo_minimum

CLOSE = 1e-12
ABC = "abcdefghijklmnopqrstuvwxyz"


def _run(lists: Sequence[Sequence[Sequence[str]]]) -> dict[str, dict[str, float]]:
    """A run that holds each list of groups as a topic; a group's documents score the same."""
    return {
        f"t{i}": {document: 100.0 - n for n, group in enumerate(groups) for document in group}
        for i, groups in enumerate(lists)
    }


def _rbo(one: Sequence[Sequence[str]], other: Sequence[Sequence[str]], **options: Any) -> Any:
    return gw.distance.rbo(_run([one]), _run([other]), **options)["t0"]


def _singles(documents: Sequence[str]) -> list[list[str]]:
    return [[document] for document in documents]


def _grouped(text: str) -> list[list[str]]:
    """Documents of a text such as "a (b c) d", where b and c are tied."""
    return [group.strip("()").split() for group in re.findall(r"\([^)]*\)|\S+", text)]


def _random_groups(rng: random.Random, documents: list[str], ties: bool) -> list[list[str]]:
    groups: list[list[str]] = []
    for document in documents:
        if ties and groups and rng.random() < 0.5:
            groups[-1].append(document)
        else:
            groups.append([document])
    return groups


def _random_pairs(seed: str, number: int, *, even: bool, ties: bool) -> list[tuple[Any, Any]]:
    rng = random.Random(seed)
    pairs = []
    for _ in range(number):
        documents = [f"d{i}" for i in rng.sample(range(50), rng.randint(1, 16))]
        s = rng.randint(1, len(documents))
        t = s if even else rng.randint(1, len(documents))
        lists = [rng.sample(documents, s), rng.sample(documents, t)]
        pairs.append(tuple(_random_groups(rng, ranking, ties) for ranking in lists))
    return pairs


@pytest.mark.parametrize("even", [True, False], ids=["even", "uneven"])
@pytest.mark.parametrize("ties", [True, False], ids=["ties", "no ties"])
@pytest.mark.parametrize("p", [0.3, 0.8, 0.95])
def test_equals_oracle(p: float, ties: bool, even: bool) -> None:
    pairs = _random_pairs(f"{p} {ties} {even}", 40, even=even, ties=ties)
    run_a, run_b = _run([one for one, _ in pairs]), _run([other for _, other in pairs])
    result = gw.distance.rbo(run_a, run_b, p=p, ties="tied" if ties else None)
    assert len(result.topics) == result.frame.height == len(pairs)
    for i, (one, other) in enumerate(pairs):
        found = result[f"t{i}"]
        minimum, maximum = rbo_minimum(one, other, p), rbo_maximum(one, other, p)
        assert found.minimum == pytest.approx(minimum, abs=CLOSE)
        assert found.residual == pytest.approx(maximum - minimum, abs=CLOSE)
        assert found.extrapolated == pytest.approx(rbo_extrapolated(one, other, p), abs=CLOSE)
        assert found.minimum - CLOSE <= found.extrapolated
        assert found.extrapolated <= found.minimum + found.residual + CLOSE
    for name in ("extrapolated", "minimum", "residual"):
        values = [getattr(result[topic], name) for topic in result.topics]
        assert getattr(result, name) == pytest.approx(sum(values) / len(values), abs=CLOSE)


def test_ties_are_broken_as_everywhere() -> None:
    # Score descending, then document id descending by bytes.
    pairs = _random_pairs("broken", 60, even=False, ties=True)
    broken = [
        [_singles([d for group in groups for d in sorted(group, reverse=True)]) for groups in pair]
        for pair in pairs
    ]
    result = gw.distance.rbo(
        _run([one for one, _ in pairs]), _run([two for _, two in pairs]), p=0.8
    )
    for i, (one, other) in enumerate(broken):
        found = result[f"t{i}"]
        assert found.minimum == pytest.approx(rbo_minimum(one, other, 0.8), abs=CLOSE)
        assert found.extrapolated == pytest.approx(rbo_extrapolated(one, other, 0.8), abs=CLOSE)


@pytest.mark.parametrize("k", [1, 3, 20])
def test_k_cuts_the_lists(k: int) -> None:
    for one, other in _random_pairs(f"cut {k}", 20, even=False, ties=False):
        option, shorter = _rbo(one, other, k=k), _rbo(one[:k], other[:k])
        assert option.extrapolated == pytest.approx(shorter.extrapolated, abs=CLOSE)
        assert option.minimum == pytest.approx(shorter.minimum, abs=CLOSE)
        assert option.residual == pytest.approx(shorter.residual, abs=CLOSE)


@pytest.mark.parametrize("p", [0.1, 0.9, 0.99])
@pytest.mark.parametrize("ties", [None, "tied"])
def test_equal_and_disjoint_lists(p: float, ties: str | None) -> None:
    same = _rbo(_singles(ABC), _singles(ABC), p=p, ties=ties)
    assert same.extrapolated == 1
    assert same.minimum + same.residual == pytest.approx(1, abs=CLOSE)
    apart = _rbo(_singles(ABC[:13]), _singles(ABC[13:]), p=p, ties=ties)
    assert (apart.extrapolated, apart.minimum) == (0, 0)


@pytest.mark.parametrize("p", [0.05, 0.3, 0.7, 0.9, 0.95, 0.99])
def test_equal_lists_overlap_exactly_and_residuals_are_not_negative(p: float) -> None:
    for size in (1, 2, 3, 7, 20, 100, 777):
        run = {"t": {f"d{i}": float(-i) for i in range(size)}}
        same = gw.distance.rbo(run, run, p)
        assert same.extrapolated == 1
        assert same.residual >= 0
        other = {"t": {f"d{(i * 7 + 3) % size}": float(-i) for i in range(size)}}
        assert gw.distance.rbo(run, other, p).residual >= 0
    assert (gw.distance.rbo_matrix({"a": run, "b": run}, p).extrapolated == 1).all()


def test_symmetric() -> None:
    for one, other in _random_pairs("symmetric", 20, even=False, ties=True):
        there, back = _rbo(one, other, ties="tied"), _rbo(other, one, ties="tied")
        assert there.extrapolated == pytest.approx(back.extrapolated, abs=CLOSE)
        assert there.minimum == pytest.approx(back.minimum, abs=CLOSE)
        assert there.residual == pytest.approx(back.residual, abs=CLOSE)


def test_by_hand() -> None:
    # <a b c> and <b a d>, p = 1/2: X = 0, 2, 2, so A = 0, 1, 2/3, and then A stays at 2/3.
    # Extrapolated: 0/2 + 1/4 + (2/3)/8 + (2/3)/8. The rest of the minimum is the sum over d > 3
    # of 2/d 2^-d = 2 (ln 2 - 1/2 - 1/8 - 1/24).
    found = _rbo(_singles("abc"), _singles("bad"), p=0.5)
    assert found.extrapolated == pytest.approx(1 / 4 + 1 / 12 + 1 / 12, abs=CLOSE)
    ln_2 = 0.6931471805599453
    rest = 2 * (ln_2 - 1 / 2 - 1 / 8 - 1 / 24)
    assert found.minimum == pytest.approx(1 / 4 + 1 / 12 + rest, abs=CLOSE)
    # At best c and d come at rank 4: everything agrees from there on, 2^-3 in all.
    assert found.minimum + found.residual == pytest.approx(1 / 4 + 1 / 12 + 1 / 8, abs=CLOSE)


def test_weight_of_the_first_ten_ranks() -> None:
    # Webber et al. 2010: for p = 0.9 the first 10 ranks have 86 per cent of the weight.
    found = _rbo(_singles(ABC[:10]), _singles(ABC[:10]), p=0.9)
    assert round(found.minimum, 2) == 0.86


@pytest.mark.parametrize("ties", [None, "tied", "input", "random"])
@pytest.mark.parametrize("k", [None, 4])
def test_many_runs_equal_pair_by_pair(ties: Any, k: int | None) -> None:
    rng = random.Random(f"{ties} {k}")
    runs = {}
    for name in "abcde":  # topics that some runs lack, lists of all lengths
        topics = rng.sample(range(8), 5)
        lists = {
            f"t{topic}": _random_groups(rng, rng.sample(ABC, rng.randint(1, 12)), True)
            for topic in topics
        }
        runs[name] = {
            topic: {d: 50.0 - n for n, group in enumerate(groups) for d in group}
            for topic, groups in lists.items()
        }
    found = gw.distance.rbo_matrix(runs, 0.8, k=k, ties=ties, seed=3)
    assert found.runs == tuple(runs)
    rows = {(row["run_a"], row["run_b"]): row for row in found.frame.to_dicts()}
    for (i, a), (j, b) in itertools.combinations_with_replacement(enumerate(runs), 2):
        one = gw.distance.rbo(runs[a], runs[b], 0.8, k=k, ties=ties, seed=3)
        for name in ("extrapolated", "minimum", "residual"):
            values = getattr(found, name)
            assert values[i, j] == values[j, i]
            assert values[i, j] == pytest.approx(getattr(one, name), abs=CLOSE)
            if i < j:
                assert rows[a, b][name] == values[i, j]
    assert len(rows) == 10


def test_mistakes() -> None:
    run = {"t": {"a": 1.0}}
    with pytest.raises(
        gw.GradewiseError, match="an overlap needs at least 2 runs, but there is 1 run"
    ):
        gw.distance.rbo_matrix({"a": run})
    for options, message in (({"p": 1.0}, "between 0 and 1"), ({"k": 0}, "at least 1")):
        with pytest.raises(gw.GradewiseError, match=message):
            gw.distance.rbo(run, run, **options)
        with pytest.raises(gw.GradewiseError, match=message):
            gw.distance.rbo_matrix({"a": run, "b": run}, **options)
    with pytest.raises(gw.GradewiseError, match="ties"):
        gw.distance.rbo(run, run, ties="tide")  # type: ignore[arg-type]


def test_progress_counts_topics() -> None:
    one, other = {"t": {"a": 1.0}, "u": {"b": 1.0}}, {"u": {"b": 1.0}, "v": {"c": 1.0}}
    steps: list[int] = []
    gw.distance.rbo(one, other, progress=steps.append)
    gw.distance.rbo_matrix({"a": one, "b": other}, progress=steps.append)
    assert steps == [1] * 6


# What William Webber's own program gives for the alphabet and another list: the data its port
# is tested with, github.com/mpetri/rbo, test_data/uneven_abc.json.
WEBBER = [
    ("karfvodcjmwgzlypebunq", 0.9, 0.468431),
    ("zhatsimjpnkvcfxwqgoeryubd", 0.9, 0.364444),
    ("f", 0.9, 0.053090),
    ("sozxjfdenvqkbgryapc", 0.9, 0.307626),
    ("zclx", 0.9, 0.233312),
    ("nxqyk", 0.9, 0.049050),
    ("b", 0.4, 0.166238),
    ("afdqwtvehcpubinloygrs", 0.4, 0.782330),
    ("av", 0.2, 0.900000),
]


@pytest.mark.parametrize(("other", "p", "extrapolated"), WEBBER)
def test_webbers_program(other: str, p: float, extrapolated: float) -> None:
    assert rbo_extrapolated(_singles(ABC), _singles(other), p) == pytest.approx(
        extrapolated, abs=1e-6
    )
    found = _rbo(_singles(ABC), _singles(other), p=p)
    assert found.extrapolated == pytest.approx(extrapolated, abs=1e-6)


# RBO^w of Corsi and Urbano, "The treatment of ties in rank-biased overlap", SIGIR 2024, which
# completes Webber et al.'s treatment of ties: extrapolated, minimum, maximum. The first is the
# example of github.com/julian-urbano/sigir2024-rbo, rbo/Python/README.md, the others are lines
# of its rbo/test.csv: even and uneven, groups that reach past the end of the shorter list.
CORSI_URBANO = [
    ("red (blue green) yellow pink", "(blue red) white (yellow black purple) green", 0.95,
     (0.7068257, 0.3429684, 0.9049857)),
    ("i11 (i8 i21) (i2 i18) (i6 i16 i20) (i4 i10)",
     "i8 (i9 i20 i21) (i2 i3) i13 i1 i11 i14 i19", 0.93912403977192,
     (0.482369482292872, 0.346394412736983, 0.712103626756557)),
    ("(i4 i7 i15) (i2 i11) i8 i18", "i4 i8 i17 i11 (i2 i3 i5 i7 i9 i13 i14)",
     0.955836875418683, (0.601671359995661, 0.310498723372055, 0.820912519608734)),
    ("(i5 i20) (i3 i8 i10 i11) i13", "(i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12 i13)",
     0.956020041658117, (0.640387430188247, 0.323506576285529, 0.805416533963823)),
    ("(i4 i7) (i12 i13 i16)", "(i2 i5 i8 i18) (i11 i12) i10 i4 i13 i9 (i1 i3) i17",
     0.939143311444625, (0.250465563472681, 0.132558072955386, 0.637393936737102)),
]  # fmt: skip


@pytest.mark.parametrize(("one", "other", "p", "published"), CORSI_URBANO)
def test_published_ties(
    one: str, other: str, p: float, published: tuple[float, float, float]
) -> None:
    found = _rbo(_grouped(one), _grouped(other), p=p, ties="tied")
    values = (found.extrapolated, found.minimum, found.minimum + found.residual)
    assert values == pytest.approx(published, abs=1e-7)
