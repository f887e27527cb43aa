"""Random pairs of lists with judgments, and the measures that MED is tested with."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import gradewise as gw
from oracles import gain_discount, ntcir, others, pivot, sessions
from oracles.distance import Measure, free_documents


@dataclass(frozen=True)
class Pair:
    """Two lists of documents, best first, and what was judged for their topic."""

    a: list[str]
    b: list[str]
    judged: dict[str, int]

    def cut(self, k: int | None) -> "Pair":
        """The pair with both lists cut at depth k."""
        return Pair(self.a[:k], self.b[:k], self.judged)


def random_pair(rng: random.Random, scale: Sequence[int], *, length: int, free: int) -> Pair:
    """Two lists of at most `length` documents of which at most `free` are unjudged.

    Among the pairs are equal, reversed, disjoint and uneven lists, all and hardly any documents
    judged, topics without relevant ones, with negative grades, and judged documents in neither.
    """
    documents = [f"d{i}" for i in rng.sample(range(100), 2 * length)]
    kind = rng.random()
    a = rng.sample(documents, rng.randint(1, length))
    if kind < 0.05:
        b = list(a)
    elif kind < 0.1:
        b = a[::-1]
    elif kind < 0.2:
        b = [d for d in documents if d not in a][: rng.randint(1, length)]
    elif kind < 0.6:
        pool = list(dict.fromkeys([*a, *rng.sample(documents, length)]))[: length + 1]
        b = rng.sample(pool, rng.randint(1, min(length, len(pool))))
    else:
        pool = documents[: length + 2]
        a = rng.sample(pool, rng.randint(1, length))
        b = rng.sample(pool, rng.randint(1, length))

    grades = [0] if rng.random() < 0.1 else [-1, 0, *scale, *scale]
    share = rng.choice([0, 0, 0.2, 0.4, 0.8])
    judged = {d: rng.choice(grades) for d in sorted({*a, *b}) if rng.random() < share}
    unjudged = free_documents(a, b, judged)
    for document in rng.sample(unjudged, max(0, len(unjudged) - free)):
        judged[document] = rng.choice(grades)
    outside = rng.choice([0, 0, 1, 2, 5])
    judged.update({f"outside{i}": rng.choice(grades) for i in range(outside)})
    if not judged:
        judged["outside"] = rng.choice([0, -2])  # so that the topic is in the qrels
    return Pair(a, b, judged)


def runs_of(pairs: Sequence[Pair]) -> tuple[Any, Any, Any]:
    """The two runs and the qrels that hold each pair as a topic of its own."""

    def run(lists: Sequence[Sequence[str]]) -> dict[str, dict[str, float]]:
        return {
            f"t{i}": {document: 100.0 - n for n, document in enumerate(ranking)}
            for i, ranking in enumerate(lists)
        }

    qrels: dict[str, Mapping[str, int]] = {f"t{i}": p.judged for i, p in enumerate(pairs)}
    return run([p.a for p in pairs]), run([p.b for p in pairs]), qrels


def med_of(pairs: Sequence[Pair], measure: str, scale: Sequence[int], **options: Any) -> list[Any]:
    """What gradewise finds for each pair, with nothing relevant elsewhere unless told."""
    options = {"unretrieved": 0, **options}
    result = gw.distance.med(*runs_of(pairs), measure, grades=list(scale), **options)
    assert sorted(result.topics) == sorted(f"t{i}" for i in range(len(pairs)))
    return [result[f"t{i}"] for i in range(len(pairs))]


@dataclass(frozen=True)
class Case:
    """A measure in gradewise's syntax, the grades it is tested on, and its literal definition."""

    text: str
    scale: tuple[int, ...]
    measure: Measure
    depth: int | None

    def __str__(self) -> str:
        return f"{self.text} on {','.join(map(str, self.scale))}"


def measured(
    text: str, scale: tuple[int, ...], oracle: Measure, cutoff: int | None = None, **parameters: Any
) -> Case:
    """Complete a measure's text with its cutoff, which the oracle takes too."""
    if cutoff is None:
        return Case(text, scale, partial(oracle, **parameters), None)
    return Case(f"{text}@{cutoff}", scale, partial(oracle, cutoff=cutoff, **parameters), cutoff)


ONE, TWO, THREE = (1,), (1, 2), (1, 2, 3)
MIN = {"norm": "min(k,R)"}

# Measures whose MED is exact however many documents are free.
EXACT = [
    measured("P", ONE, gain_discount.p, 3),
    measured("P(rel=2)", TWO, gain_discount.p, 4, rel=2),
    measured("RBP(p=0.7)", ONE, gain_discount.rbp, 4, p=0.7),
    measured("RBP(p=0.8,rel=2)", THREE, gain_discount.rbp, 3, p=0.8, rel=2),
    measured("RBP(gains={1:0.3,2:1})", TWO, gain_discount.rbp, 5, gains={1: 0.3, 2: 1}),
    measured("DCG", TWO, gain_discount.dcg),
    measured("DCG", THREE, gain_discount.dcg, 3),
    measured("DCG(dcg='jk',b=3)", TWO, gain_discount.dcg, 4, dcg="jk", b=3),
    measured("SDCG", ONE, gain_discount.sdcg, 4),
    measured("SDCG(dcg='exp-log2')", (1, 3), gain_discount.sdcg, 3, dcg="exp-log2"),
    measured("session_DCG", TWO, sessions.one_query_dcg),
    measured("session_DCG(b=3)", TWO, sessions.one_query_dcg, 4, b=3),
    measured("nsDCG", ONE, sessions.one_query_ndcg),
    measured("nsDCG(queries=1)", TWO, sessions.one_query_ndcg, 3, queries=1),
    measured("nsDCG(queries=2)", TWO, sessions.one_query_ndcg, 2, queries=2),
    measured("SDCG(max_grade=4)", TWO, gain_discount.sdcg, 3, max_grade=4),
    measured("RR", ONE, others.rr),
    measured("RR", TWO, others.rr, 3),
    measured("RR(rel=2)", TWO, others.rr, rel=2),
    measured("nDCG", ONE, gain_discount.ndcg),
    measured("nDCG", ONE, gain_discount.ndcg, 3),
    measured("nDCG", TWO, gain_discount.ndcg),
    measured("nDCG", TWO, gain_discount.ndcg, 2),
    measured("nDCG", TWO, gain_discount.ndcg, 4),
    measured("nDCG", THREE, gain_discount.ndcg, 3),
    measured("nDCG(dcg='exp-log2')", TWO, gain_discount.ndcg, 3, dcg="exp-log2"),
    measured("nDCG(dcg='exp-log2')", (1, 2, 4), gain_discount.ndcg, 4, dcg="exp-log2"),
    measured("nDCG(dcg='jk',b=2)", TWO, gain_discount.ndcg, 4, dcg="jk", b=2),
    measured("nDCG(dcg='linear')", TWO, gain_discount.ndcg, 4, dcg="linear"),
    measured("nDCG(gains={1:3,2:1})", TWO, gain_discount.ndcg, 3, gains={1: 3, 2: 1}),
    measured("nDCG(gains={1:0,2:3})", TWO, gain_discount.ndcg, 3, gains={1: 0, 2: 3}),
    measured("nDCG(gains={1:2,2:2,3:5})", THREE, gain_discount.ndcg, 3, gains={1: 2, 2: 2, 3: 5}),
    measured("SP", ONE, pivot.sp),
    measured("SP(rel=2)", TWO, pivot.sp, 3, rel=2),
    measured("SSP", ONE, pivot.ssp, 4),
    measured("SSP(rel=3)", THREE, pivot.ssp, 3, rel=3),
    measured("AP", ONE, pivot.ap),
    measured("AP", ONE, pivot.ap, 3),
    measured("AP", TWO, pivot.ap, 5),
    measured("AP(rel=2)", TWO, pivot.ap, rel=2),
    measured("AP(rel=2)", THREE, pivot.ap, 4, rel=2),
    measured("AP(norm='min(k,R)')", ONE, pivot.ap, 2, **MIN),
    measured("AP(norm='min(k,R)')", ONE, pivot.ap, 4, **MIN),
    measured("AP(norm='min(k,R)',rel=2)", TWO, pivot.ap, 3, rel=2, **MIN),
    measured("ERR", ONE, others.err),
    measured("ERR", TWO, others.err, 3),
    measured("ERR", THREE, others.err),
    measured("ERR(max_grade=4)", (1, 3), others.err, 4, max_grade=4),
    measured("Q", ONE, pivot.q),
    measured("Q", ONE, pivot.q, 6),
    measured("Q(beta=10)", ONE, pivot.q, 2, beta=10),
    measured("Q(beta=2.5,gains={1:0.5})", ONE, pivot.q, beta=2.5, gains={1: 0.5}),
    measured("Q(beta=10)", (2,), pivot.q, beta=10),
    measured("Q(norm='min(k,R)')", ONE, pivot.q, 3, **MIN),
    measured("ERR(gains={1:1,2:2})", TWO, others.err, 4, gains={1: 1, 2: 2}),
]  # fmt: skip

# Measures for which an interval may be given, exact when few documents are free.
GRADED = [
    measured("GAP", TWO, pivot.gap, g=[0.5, 0.5]),
    measured("GAP(g=[0.2,0.8])", TWO, pivot.gap, 3, g=[0.2, 0.8]),
    measured("GAP(g=[0.5,0.2,0.3])", THREE, pivot.gap, g=[0.5, 0.2, 0.3]),
    measured("GAP(g=[0,0.5,0.5])", THREE, pivot.gap, 4, g=[0, 0.5, 0.5]),
    measured("eGAP(g=[0.4,0.6])", TWO, pivot.egap, g=[0.4, 0.6]),
    measured("eGAP(g=[0.3,0.3,0.4])", THREE, pivot.egap, 4, g=[0.3, 0.3, 0.4]),
    measured("xGAP(g=[0.7,0.3])", TWO, pivot.xgap, g=[0.7, 0.3]),
    measured("xGAP(g=[0.6,0.3,0.1])", THREE, pivot.xgap, 4, g=[0.6, 0.3, 0.1]),
    measured("GenAP", TWO, pivot.gen_ap),
    measured("GenAP(gains={1:1,2:5})", TWO, pivot.gen_ap, 3, gains={1: 1, 2: 5}),
    measured("GenAP", THREE, pivot.gen_ap, 4),
    measured("Q", TWO, pivot.q),
    measured("Q", TWO, pivot.q, 2),
    measured("Q(beta=3)", THREE, pivot.q, 4, beta=3),
    measured("Q(norm='min(k,R)')", TWO, pivot.q, 3, **MIN),
    measured("nERR", TWO, ntcir.nerr, 3),
]

# Measures with no algorithm of their own: every assignment is tried.
TRIED = [
    measured("R", TWO, gain_discount.recall, 3),
    measured("Rprec", ONE, gain_discount.rprec),
    measured("Success(rel=2)", TWO, others.success, 2, rel=2),
    measured("WAP", TWO, pivot.wap),
    measured("WAP", TWO, pivot.wap, 2),
    measured("AnDCG", TWO, gain_discount.andcg, 4),
    measured("AnDCG(dcg='log2')", TWO, gain_discount.andcg, 3, dcg="log2"),
    measured("SR", TWO, gain_discount.sr, 3),
    measured("gR", TWO, gain_discount.gr, 3),
    measured("SetF", ONE, others.set_f),
    measured("AvgIPrec", ONE, others.avg_iprec),
    measured("Omeasure", TWO, ntcir.o_measure),
    measured("Pmeasure", TWO, ntcir.p_measure),
    measured("Pplus", TWO, ntcir.p_plus),
    measured("NCUguP", TWO, ntcir.ncu_gu_p),
    measured("NCUguBR", TWO, ntcir.ncu_gu_br),
    measured("NCUrbP", TWO, ntcir.ncu_rb_p),
    measured("NCUrbBR", ONE, ntcir.ncu_rb_br),
    measured("iRBU", TWO, ntcir.irbu, 3),
]
