"""The oracles of trec_eval's measures: equal to its output, and gradewise equal to them."""

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from gradewise.cli.trec_eval import run
from oracles import gain_discount, others, pivot, trec
from oracles.lists import random_case
from parity.material import read_lines

Ranking = list[int | None]
Judgments = dict[int, int]
Oracle = Callable[..., float]

CASES = [random_case(random.Random(seed)) for seed in range(1000)]


def _parameters(rng: random.Random) -> dict[str, list[tuple[Oracle, dict[str, Any]]]]:
    """Give each measure of gradewise its oracle, with parameters drawn for a case."""
    rel = {"rel": rng.randint(1, 4)}
    gains = {"gains": {grade: rng.choice([0, 0.25, 1, 1, 3, 7]) for grade in (1, 2, 3)}}
    cutoff = {"cutoff": rng.choice([1, 2, 3, 5, 10, 40])}
    weights = {"weights": [rng.randint(-4, 4) / 2 for _ in range(4)], "size": rng.randint(60, 90)}
    return {
        "infAP": [(trec.inf_ap, rel)],
        "BinG": [(trec.bin_g, rel)],
        "G": [(trec.g, {}), (trec.g, gains)],
        "nDCGrel": [(trec.ndcg_rel, {}), (trec.ndcg_rel, gains)],
        "RnDCG": [(trec.rndcg, {}), (trec.rndcg, gains)],
        "RelP": [(trec.rel_p, {**rel, **cutoff})],
        "Rprec": [(trec.rprec_mult, {**rel, "mult": rng.choice([0.1, 0.2, 0.35, 0.5, 1, 1.6, 5])})],
        "SetAP": [(trec.set_ap, rel)],
        "SetRelP": [(trec.set_rel_p, rel)],
        "Utility": [(trec.utility, rel), (trec.utility, {**rel, **weights})],
        "NumRet": [(trec.num_ret, {})],
        "NumRel": [(trec.num_rel, rel)],
        "NumRelRet": [(trec.num_rel_ret, rel)],
        "NumNonrelRet": [(trec.num_nonrel_ret, rel)],
        "Unjudged": [(trec.unjudged, cutoff)],
    }


def _write(name: str, parameters: Mapping[str, Any]) -> str:
    """Write a measure with parameters as gradewise reads it."""
    inside = ",".join(f"{key}={value!r}" for key, value in parameters.items() if key != "cutoff")
    cutoff = f"@{parameters['cutoff']}" if "cutoff" in parameters else ""
    return f"{name}({inside}){cutoff}"


@pytest.mark.slow
@pytest.mark.parametrize("name", _parameters(random.Random(0)))
def test_gradewise_equals_the_oracle(name: str) -> None:
    for seed, (ranking, judged) in enumerate(CASES):
        for oracle, parameters in _parameters(random.Random(seed))[name]:
            expected = oracle(ranking, judged, **parameters)
            value = gw.score(_write(name, parameters), ranking, judged)
            assert abs(value - expected) <= 1e-12, (seed, parameters, ranking, judged)


def _printed(ranking: Ranking, judged: Judgments, rel: int) -> dict[str, float]:
    """Compute what `-m all_trec` prints for a topic, in trec_eval's reading of negative grades.

    These are unjudged, and for infAP alone in the pool.
    """
    seen: Ranking = [None if grade is None or grade < 0 else grade for grade in ranking]
    known = {grade: count for grade, count in judged.items() if grade >= 0}
    highest = max((grade for grade, count in known.items() if count), default=0)
    complete = None not in seen
    values = {
        "num_ret": trec.num_ret(seen, known),
        "num_rel": trec.num_rel(seen, known, rel=rel),
        "num_rel_ret": trec.num_rel_ret(seen, known, rel=rel),
        "num_nonrel_judged_ret": trec.num_nonrel_ret(seen, known, rel=rel),
        "map": pivot.ap(seen, known, rel=rel),
        "Rprec": gain_discount.rprec(seen, known, rel=rel),
        "bpref": others.bpref(seen, known, rel=rel),
        "recip_rank": others.rr(seen, known, rel=rel),
        "infAP": trec.inf_ap(ranking, judged, rel=rel),
        "utility": trec.utility(seen, known, rel=rel),
        "11pt_avg": others.avg_iprec(seen, known, rel=rel),
        "binG": trec.bin_g(seen, known, rel=rel),
        "G": trec.g(seen, known),
        "ndcg": gain_discount.ndcg(seen, known),
        "ndcg_rel": trec.ndcg_rel(seen, known),
        "Rndcg": trec.rndcg(seen, known) if trec.num_rel(seen, known, rel=rel) else 0.0,
        "set_P": others.set_p(seen, known, rel=rel),
        "set_relative_P": trec.set_rel_p(seen, known, rel=rel),
        "set_recall": others.set_r(seen, known, rel=rel),
        "set_map": trec.set_ap(seen, known, rel=rel),
        "set_F": others.set_f(seen, known, rel=rel),
        "rbp": gain_discount.rbp(
            seen, known, p=0.9, gains={grade: grade / max(highest, 1) for grade in known}
        ),
        "rbp_resid": 0.0 if complete else gain_discount.rbp_residual(seen, known, p=0.9),
    }
    for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000):
        values[f"P_{k}"] = gain_discount.p(seen, known, cutoff=k, rel=rel)
        values[f"recall_{k}"] = gain_discount.recall(seen, known, cutoff=k, rel=rel)
        values[f"ndcg_cut_{k}"] = gain_discount.ndcg(seen, known, cutoff=k)
        values[f"map_cut_{k}"] = pivot.ap(seen, known, cutoff=k, rel=rel)
        values[f"relative_P_{k}"] = trec.rel_p(seen, known, cutoff=k, rel=rel)
    for k in (1, 5, 10):
        values[f"success_{k}"] = others.success(seen, known, cutoff=k, rel=rel)
    for k in (5, 10, 20):
        values[f"unj_{k}"] = trec.unjudged(seen, known, cutoff=k)
    for step in range(11):
        level = step / 10
        values[f"iprec_at_recall_{level:.2f}"] = others.iprec(seen, known, recall=level, rel=rel)
    for step in range(1, 11):
        mult = step / 5
        values[f"Rprec_mult_{mult:.2f}"] = trec.rprec_mult(seen, known, mult=mult, rel=rel)
    return values


def _lines(output: str) -> dict[str, dict[str, str]]:
    """Split the lines of topics into topic, name and value, without relstring."""
    lines: dict[str, dict[str, str]] = {}
    for line in output.splitlines():
        name, topic, value = line.split("\t")
        if topic != "all" and not name.startswith("relstring"):
            lines.setdefault(topic, {})[name.strip()] = value
    return lines


def _shown(values: Mapping[str, float]) -> dict[str, str]:
    return {n: f"{v:.0f}" if n.startswith("num_") else f"{v:6.4f}" for n, v in values.items()}


@pytest.mark.parametrize(
    ("expected", "qrels", "rel"),
    [("out.test.aq", "qrels.test.gz", 1), ("out.test.aql", "qrels.rel_level.gz", 2)],
)
def test_oracles_give_the_output_of_trec_eval(
    real_data: Path, expected: str, qrels: str, rel: int
) -> None:
    folder = real_data / "trec_eval-test"
    judged: dict[str, dict[str, int]] = {}
    for topic, _, document, grade in read_lines(folder / qrels):
        judged.setdefault(topic, {})[document] = int(grade)
    scored: dict[str, list[tuple[float, bytes]]] = {}
    for topic, _, document, _, score, _ in read_lines(folder / "results.test.gz"):
        scored.setdefault(topic, []).append((float(score), document.encode()))
    computed = {}
    for topic, documents in scored.items():
        grades = judged[topic]
        ranked = [document.decode() for _, document in sorted(documents, reverse=True)]
        ranking = [grades.get(document) for document in ranked]
        computed[topic] = _shown(_printed(ranking, Counter(grades.values()), rel))
    assert computed == _lines((folder / expected).read_text(encoding="utf-8"))


def _collection(rng: random.Random) -> dict[str, tuple[Ranking, Judgments]]:
    """Draw cases for topics; trec_eval wants a list and a judgment of at least 0 in each."""
    cases: dict[str, tuple[Ranking, Judgments]] = {}
    while len(cases) < 5:
        ranking, judged = random_case(rng, rng.choice([1, 3, 5]), max_count=6, max_unjudged=9)
        if ranking and any(count for grade, count in judged.items() if grade >= 0):
            cases[str(len(cases) + 8)] = ranking, judged
    return cases


def _save(cases: Mapping[str, tuple[Ranking, Judgments]], folder: Path) -> list[str]:
    """Write qrels and a run whose documents have those grades, in that order."""
    qrels, results = [], []
    for topic, (ranking, judged) in cases.items():
        unseen = Counter(judged)
        for rank, grade in enumerate(ranking, 1):
            results.append(f"{topic} Q0 d{rank} 0 {-rank / 2} x")
            if grade is not None:
                qrels.append(f"{topic} 0 d{rank} {grade}")
                unseen[grade] -= 1
        qrels += [f"{topic} 0 m{i} {grade}" for i, grade in enumerate(unseen.elements())]
    (folder / "qrels").write_text("\n".join(qrels) + "\n", encoding="utf-8")
    (folder / "run").write_text("\n".join(results) + "\n", encoding="utf-8")
    return [str(folder / "qrels"), str(folder / "run")]


def _judged_only(ranking: Sequence[int | None]) -> Ranking:
    return [grade for grade in ranking if grade is not None and grade >= 0]


@pytest.mark.parametrize("seed", range(25))
def test_the_command_prints_what_the_oracles_give(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, seed: int
) -> None:
    cases = _collection(random.Random(seed))
    files = _save(cases, tmp_path)
    for rel, depth, judged_only in ((1, None, False), (2, 6, False), (3, None, True), (1, 4, True)):
        options = ["-q", "-n", "-m", "all_trec", "-l", str(rel)]
        options += ["-J"] if judged_only else []
        options += [] if depth is None else ["-M", str(depth)]
        assert run([*options, *files]) == 0
        lines = _lines(capsys.readouterr().out)
        assert lines.keys() == cases.keys()
        for topic, (ranking, judged) in cases.items():
            kept = _judged_only(ranking[:depth]) if judged_only else ranking[:depth]
            shown = {name: float(value) for name, value in lines[topic].items()}
            expected = _printed(kept, judged, rel)
            assert shown == pytest.approx(expected, abs=0.00005 + 1e-9, rel=0), (rel, topic)
