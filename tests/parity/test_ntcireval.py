"""NTCIREVAL's measures: printed outputs of the tool, and pyNTCIREVAL topic by topic."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

import gradewise as gw
from parity.material import Grades, Ranked, gradewise_values, random_collection

# The sample of NTCIREVAL: a list of 4 documents for a topic with 4, 3 and 3 documents of levels 1,
# 2 and 3 and one judged not relevant. The outputs are those that its README and the files
# `res_test_*` of pyNTCIREVAL print; iRBU is printed by the tool's version of May 2020.
SAMPLE = [0, 3, None, 2]
COUNTS = {0: 1, 1: 4, 2: 3, 3: 3}

PRINTED: dict[str, dict[str, str]] = {
    "-g 1:2:3": {
        "RR": "0.5000",
        "O-measure": "0.5000",
        "P-measure": "0.5000",
        "P-plus": "0.5000",
        "AP": "0.1000",
        "Q-measure": "0.0967",
        "NCUguP": "0.1316",
        "NCUguBR": "0.1281",
        "NCUrbP": "0.1215",
        "NCUrbBR": "0.1175",
        "RBP(p=0.95,gains=linear)": "0.0761",
        "ERR(gains=linear)": "0.4062",
        "iRBU": "0.8551",
        "AP(norm='min(k,R)')@1000": "0.1000",
        "Q(norm='min(k,R)')@1000": "0.0967",
        "nDCG(dcg=jk)@1000": "0.3380",
        "MSnDCG@1000": "0.2760",
        "P@1000": "0.0020",
        "nERR@1000": "0.4710",
        "Success@1000": "1.0000",
    },
    "-g 1:4:9": {
        "Q(gains={1:1,2:4,3:9})": "0.0929",
        "NCUguP(stops={1:1,2:4,3:9})": "0.1512",
        "NCUguBR(gains={1:1,2:4,3:9})": "0.1445",
        "NCUrbBR(gains={1:1,2:4,3:9})": "0.1130",
        "RBP(p=0.95,gains={1:1,2:4,3:9})": "0.0666",
        "ERR(gains={1:1,2:4,3:9})": "0.4600",
        "nDCG(dcg=jk,gains={1:1,2:4,3:9})@1000": "0.3636",
        "MSnDCG(gains={1:1,2:4,3:9})@1000": "0.2947",
        "nERR(gains={1:1,2:4,3:9})@1000": "0.4851",
    },
    "-cutoffs 2": {
        "AP(norm='min(k,R)')@2": "0.2500",
        "Q(norm='min(k,R)')@2": "0.2500",
        "nDCG(dcg=jk)@2": "0.5000",
        "MSnDCG@2": "0.3869",
        "nERR@2": "0.4444",
        "iRBU@2": "0.7351",
    },
    "-j": {
        "AP(judged_only=True)": "0.1167",
        "Q(judged_only=True)": "0.1083",
        "NCUguP(judged_only=True)": "0.1491",
        "NCUguBR(judged_only=True)": "0.1404",
        "NCUrbP(judged_only=True)": "0.1412",
        "NCUrbBR(judged_only=True)": "0.1314",
        "ERR(judged_only=True,gains=linear)": "0.4167",
        "nDCG(judged_only=True,dcg=jk)@1000": "0.3601",
        "MSnDCG(judged_only=True)@1000": "0.2899",
        "nERR(judged_only=True)@1000": "0.4830",
    },
}


@pytest.mark.parametrize("options", PRINTED)
def test_the_sample_has_the_values_that_ntcireval_prints(options: str) -> None:
    printed = PRINTED[options]
    assert {name: f"{gw.score(name, SAMPLE, COUNTS):.4f}" for name in printed} == printed


def test_ntcireval_divides_rank_biased_ncu_otherwise_at_a_cutoff() -> None:
    # It prints NCUrb,P@0010= 0.0975 and NCUrb,BR@0010= 0.0943, and .1215 and .1175 without cutoff.
    weights = sum(0.95**i for i in range(10))
    for name, printed in (("NCUrbP", "0.0975"), ("NCUrbBR", "0.0943")):
        assert f"{gw.score(name, SAMPLE, COUNTS) * weights / 10:.4f}" == printed


# The first 10 documents of run KASYS-CO-REV-6 for topics of NTCIR-16's We Want Web task (qrels as
# corrected in 2022, levels 0 to 2), how many documents of each level were judged, and what
# NTCIREVAL prints with `-cutoffs 10 -g 1:2`.
WWW_NAMES = [
    "O-measure", "P-measure", "P-plus", "MSnDCG@10", "Q(norm='min(k,R)')@10", "nERR@10", "iRBU@10",
    "nDCG(dcg='jk')@10", "AP(norm='min(k,R)')@10",
]  # fmt: skip
WWW_TOPICS = {
    "0207": ("1200010000", {0: 244, 1: 2, 2: 1}),
    "0210": ("0110110200", {0: 120, 1: 39, 2: 25}),
    "0231": ("1012200000", {0: 204, 1: 4, 2: 2}),
}
WWW_PRINTED = {
    "0207": ".6667 1.0000 .8333 .8362 .7889 .7603 .8353 .9328 .8333",
    "0210": ".3333 .4583 .4161 .2757 .2081 .3740 .8977 .2964 .3058",
    "0231": ".6667 .7000 .6222 .6352 .4500 .6254 .9242 .5871 .5361",
}


@pytest.mark.parametrize("topic", WWW_TOPICS)
def test_topics_of_we_want_web_have_the_values_that_ntcireval_prints(topic: str) -> None:
    ranking, counts = WWW_TOPICS[topic]
    values = [gw.score(name, list(map(int, ranking)), counts) for name in WWW_NAMES]
    assert " ".join(f"{value:.4f}".removeprefix("0") for value in values) == WWW_PRINTED[topic]


def _by_pyntcireval(gains: Sequence[float]) -> dict[str, tuple[str, Callable[..., Any]]]:
    """Give measures by name: ours, and how pyNTCIREVAL's is made for a topic."""
    theirs = pytest.importorskip("pyNTCIREVAL.metrics", reason="pyNTCIREVAL is not installed")
    table = dict(enumerate(gains, 1))
    half = [gain / 2 + 1 for gain in gains]
    weights = dict(enumerate(half, 1))

    def with_gains(kind: Callable[..., Any], *rest: Any) -> Callable[..., Any]:
        return lambda counts: kind(counts, list(gains), *rest)

    pairs = {
        "RR": ("RR", lambda counts: theirs.RR()),
        "O": (f"O-measure(gains={table})", with_gains(theirs.OMeasure, 1.0)),
        "O, beta": (f"O-measure(gains={table},beta=5)", with_gains(theirs.OMeasure, 5.0)),
        "P": (f"P-measure(gains={table})", with_gains(theirs.PMeasure, 1.0)),
        "P+": (f"P+(gains={table},beta=2)", with_gains(theirs.PPlusMeasure, 2.0)),
        "AP": ("AP", with_gains(theirs.AP)),
        "Q": (f"Q(gains={table})", with_gains(theirs.QMeasure, 1.0)),
        "NCUguP": (f"NCUguP(stops={weights})", with_gains(theirs.NCUguP, half)),
        "NCUguBR": (
            f"NCUguBR(stops={weights},gains={table},beta=3)",
            with_gains(theirs.NCUguBR, half, 3.0),
        ),
        "NCUrbP": ("NCUrbP(gamma=0.8)", with_gains(theirs.NCUrbP, 0.8)),
        "NCUrbBR": (f"NCUrbBR(gains={table})", with_gains(theirs.NCUrbBR, 0.95, 1.0)),
        "RBP": (f"RBP(gains={table},p=0.95)", with_gains(theirs.RBP, 0.95)),
        "ERR": (f"ERR(gains={table})", with_gains(theirs.ERR)),
    }
    for k in (1, 3, 10, 1000):
        pairs |= {
            f"AP@{k}": (f"AP(norm=min(k,R))@{k}", with_gains(theirs.AP, k)),
            f"Q@{k}": (f"Q(norm=min(k,R),gains={table})@{k}", with_gains(theirs.QMeasure, 1.0, k)),
            f"nDCG@{k}": (f"nDCG(dcg=jk,gains={table})@{k}", with_gains(theirs.nDCG, 2.0, k)),
            f"MSnDCG@{k}": (f"MSnDCG(gains={table})@{k}", with_gains(theirs.MSnDCG, k)),
            f"nERR@{k}": (f"nERR(gains={table})@{k}", with_gains(theirs.nERR, k)),
            f"Hit@{k}": (f"Success@{k}", lambda counts, k=k: theirs.Hit(k)),
        }
    return pairs


def _differences(qrels: Grades, run: Ranked, gains: Sequence[float]) -> list[Any]:
    """Compare the topics that have a relevant document; pyNTCIREVAL divides by 0 for the others."""
    pairs = _by_pyntcireval(gains)
    ours = gradewise_values(qrels, run, [text for text, _ in pairs.values()], ties="input")
    found = []
    for topic, grades in qrels.items():
        levels = {document: max(grade, 0) for document, grade in grades.items()}
        if topic not in run or not any(levels.values()):
            continue
        counts = [list(levels.values()).count(level) for level in range(len(gains) + 1)]
        ranked = [
            (doc, levels.get(doc)) for doc in sorted(run[topic], key=lambda d: -run[topic][d])
        ]
        for name, (text, make) in pairs.items():
            expected = float(make(counts).compute(ranked))
            if not abs(ours[text][topic] - expected) <= 1e-12:
                found.append((name, topic, expected, ours[text][topic]))
    return found


@pytest.mark.parametrize("gains", [[1, 2, 3, 4], [1, 3, 7, 15], [0.5, 2, 9, 10]])
def test_random_collections_agree_with_pyntcireval(gains: list[float]) -> None:
    qrels, run = random_collection(11, topics=60, grades=(0, 0, 0, 1, 2, 3, 4))
    assert _differences(qrels, run, gains) == []


@pytest.mark.parametrize(
    ("name", "gains"), [("web.151-200", [1, 2, 3, 4]), ("covid-round1", [1, 2])]
)
def test_real_judgments_agree_with_pyntcireval(
    real_data: Path, name: str, gains: list[float]
) -> None:
    qrels = gw.read_qrels(real_data / "qrels" / f"qrels.{name}.txt.gz").to_dict()
    rng = random.Random(7)
    run = {}
    for topic, grades in list(qrels.items())[:20]:
        documents = [*rng.sample(sorted(grades), 45), *[f"unjudged{n}" for n in range(15)]]
        rng.shuffle(documents)
        documents.sort(key=lambda document: -grades.get(document, 0) + rng.gauss(0, 2))
        run[topic] = {document: float(-place) for place, document in enumerate(documents)}
    assert _differences({topic: qrels[topic] for topic in run}, run, gains) == []
