"""Measures of diversity as NTCIREVAL prints them: D-nDCG, D♯-nDCG, I-rec, IA-nDCG and IA-ERR."""

from io import BytesIO

import pytest

import gradewise as gw

# The sample of NTCIREVAL, `Dtest.Dqrels` with the weights of `Dtest.Iprob`: how many documents are
# relevant (L1) to which intents, and the first 10 documents of its `TRECRUN`. The values are in its
# README.diversity; those that it abridges are what version 190111 prints for the same files.
SAMPLE_WEIGHTS = {
    "0001": {"1": 0.5714, "2": 0.2857, "3": 0.1429},
    "0002": {"1": 0.5333, "2": 0.2667, "3": 0.1333, "4": 0.0667},
    "0003": {"1": 0.5714, "2": 0.2857, "3": 0.1429},
}
SAMPLE_COUNTS = {
    "0001": {"0": 360, "23": 68, "2": 13, "3": 10, "13": 2},
    "0002": {"0": 369, "4": 7, "3": 3},
    "0003": {"0": 453, "1": 110, "3": 22, "13": 5, "2": 1},
}
SAMPLE_RANKING = {
    "0001": "- - 23 2 23 - - - - -",
    "0002": "- 4 - - - - - - - -",
    "0003": "1 1 1 - - 1 - - - -",
}
SAMPLE_PRINTED = {  # MSnDCG@0010 of the Dnev file, D#-nDCG@0010, I-rec@0010
    "0001": "0.2085 0.4376 0.6667",
    "0002": "0.0946 0.2973 0.5000",
    "0003": "0.4710 0.4022 0.3333",
}
SAMPLE_INTENT_AWARE = {"0001": 0.1107, "0002": 0.0116, "0003": 0.3128}  # IA-MSnDCG@0010
SUM_OF_WEIGHTS = {"0001": 1.0, "0002": 0.2, "0003": 1.0}  # SUMp in the same lines


def _sample() -> tuple[gw.Qrels, dict[str, dict[str, float]]]:
    """Make documents that are relevant to the same intents, and rank some of them."""
    lines, run = [], {}
    for topic, counts in SAMPLE_COUNTS.items():
        for intents, count in counts.items():
            grade = "L0" if intents == "0" else "L1"
            lines += [f"{topic} {i} {intents}.{n} {grade}" for n in range(count) for i in intents]
        documents = [f"{kind}.{n}" for n, kind in enumerate(SAMPLE_RANKING[topic].split())]
        run[topic] = {document: -float(n) for n, document in enumerate(documents)}
    qrels = gw.read_qrels(BytesIO("\n".join(lines).encode()))
    return qrels.weigh_intents(SAMPLE_WEIGHTS), run


def test_the_sample_has_the_values_that_ntcireval_prints() -> None:
    scores = gw.evaluate(*_sample(), ["D-nDCG@10", "D#-nDCG@10", "I-rec@10"])
    for topic, values in zip(scores.topics, scores.values[0].tolist(), strict=True):
        printed = list(map(float, SAMPLE_PRINTED[topic].split()))
        # It averages for D♯ what it has rounded to 4 digits before.
        assert values == pytest.approx(printed, abs=0.000101)
        assert [values[0], values[2]] == pytest.approx([printed[0], printed[2]], abs=0.00005)


def test_intents_without_a_relevant_document_lower_intent_aware_values_of_ntcireval() -> None:
    scores = gw.evaluate(*_sample(), "IA-MSnDCG@10")
    for topic, value in zip(scores.topics, scores.values[0, :, 0].tolist(), strict=True):
        expected = SAMPLE_INTENT_AWARE[topic]
        assert value * SUM_OF_WEIGHTS[topic] == pytest.approx(expected, abs=0.00005)


# A drawn collection with three levels: the level of documents a, b, ... for each intent, and what
# version 190111 prints, with gains 1, 2 and 3. Uppercase letters are not judged.
GRADED = {
    "1": "330 033 002 001 100 001 211 000 330 010 321 100 200 000",
    "2": "3200 0330 2310 3021 0013 0302 1000 2020 1000 0003 0331 1230 3001 2000",
    "3": "33 20 00 10 01 00 00 00 00 21 03 01 10 00",
}
WEIGHTS = {"1": (0.5, 0.3, 0.2), "2": (0.4, 0.3, 0.2, 0.1), "3": (0.9, 0.1)}
RANKINGS = {"1": "dnXhYkfmabZc", "2": "gXhiflmYjaZn", "3": "hlbiagkcXYfZ"}
PRINTED = {  # D-nDCG, D♯-nDCG, I-rec, IA-nDCG and IA-ERR at 3, and at 10
    "1": "0.0395 0.1864 0.3333 0.0420 0.0500  0.3563 0.6782 1.0000 0.3286 0.1824",
    "2": "0.2574 0.3787 0.5000 0.1564 0.1833  0.4522 0.7261 1.0000 0.3482 0.2886",
    "3": "0.1889 0.5945 1.0000 0.1827 0.1625  0.3702 0.6851 1.0000 0.3648 0.2433",
}


def test_levels_have_the_values_that_ntcireval_prints() -> None:
    lines = [
        f"{topic} {intent} {chr(97 + n)} L{level}"
        for topic, documents in GRADED.items()
        for n, levels in enumerate(documents.split())
        for intent, level in enumerate(levels, 1)
        if level != "0"
    ]
    weights = {t: {str(i): w for i, w in enumerate(own, 1)} for t, own in WEIGHTS.items()}
    qrels = gw.read_qrels(BytesIO("\n".join(lines).encode())).weigh_intents(weights)
    run = {t: {doc: -float(n) for n, doc in enumerate(docs)} for t, docs in RANKINGS.items()}
    names = ["D-nDCG", "D#-nDCG", "I-rec", "nDCG-IA", "ERR-IA(gains=linear)"]
    scores = gw.evaluate(qrels, run, [f"{name}@{k}" for k in (3, 10) for name in names])
    for topic, values in zip(scores.topics, scores.values[0].tolist(), strict=True):
        printed = list(map(float, PRINTED[topic].split()))
        assert values == pytest.approx(printed, abs=0.000101)
