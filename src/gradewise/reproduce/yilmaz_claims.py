"""Yilmaz & Robertson 2010: what the paper says about Tables 2, 3 and 4, checked on our results."""

from typing import Any

import numpy as np

from gradewise.learn.studies.cross_validated import CrossValidation
from gradewise.reproduce.result import Property
from gradewise.reproduce.yilmaz_printed import TESTS, printed_value
from gradewise.reproduce.yilmaz_sets import NDCG, NDCG_10, PAIRS, short

Claim = tuple[str, str, str]  # the objective said to be better, the other one, the test measure
_INFORMATIVE: tuple[Claim, ...] = (*((a, b, b) for a, b in PAIRS), (NDCG, "P@10", "P@10"))
_BINARY: tuple[Claim, ...] = (("AP", NDCG, "AP"), ("AP", NDCG, "P@10"))
_TOP: tuple[Claim, ...] = tuple((NDCG_10, "P@10", test) for test in TESTS)
# Table 4 is only said to be "similar" in that the informative objective is better.
_CLAIMS = {
    "table2": (*_INFORMATIVE, ("AP", NDCG_10, NDCG_10), *_BINARY, *_TOP),
    "table3": (*_INFORMATIVE, *_BINARY, *_TOP),
    "table4": tuple((a, b, b) for a, b in PAIRS),
}


def gain(part: str, result: CrossValidation, objective: str, test: str) -> tuple[float, Any]:
    """Return the gain over training for the test measure: the paper's, and ours as a row."""
    return _difference(part, result, (objective, test, test))


def _difference(part: str, result: CrossValidation, claim: Claim) -> tuple[float, Any]:
    first, second, test = claim
    row = result.against(first, second).filter(test_measure=test).row(0, named=True)
    return printed_value(part, first, test) - printed_value(part, second, test), row


def table_claims(part: str, result: CrossValidation) -> list[Property]:
    """Check each statement about the table: the first objective gives the higher value."""
    claims = []
    for claim in _CLAIMS[part]:
        first, second, test = map(short, claim)
        paper, row = _difference(part, result, claim)
        claims.append(
            Property(
                f"training for {first} gives a higher {test} than training for {second}, as in the "
                "paper",
                row["difference"] > 0,
                f"{tell(row)}; {paper:+.2f} in the paper",
                necessary=False,
            )
        )
    return claims


def tell(row: dict[str, Any]) -> str:
    """Return a difference in hundredths with its errors and tests, over topics and over seeds."""
    said = f"{100 * row['difference']:+.2f}; over topics, standard error "
    said += f"{100 * row['standard_error']:.2f} and p = {row['p']:.3f}"
    if not np.isnan(row["p_of_seeds"]):
        said += f"; over seeds, {100 * row['error_of_seeds']:.2f} and p = {row['p_of_seeds']:.3f}"
    return said if row["significant"] else f"{said}; not significant"


def was_long_enough(result: CrossValidation, epochs: int) -> Property:
    """Tell whether nets were at their best before training ended."""
    last = int((result.epochs == epochs).sum())
    return Property(
        "training is long enough: nets are best on validation topics before the last epoch",
        last == 0,
        f"the last of {epochs} is chosen in {last} of {result.epochs.size} cases",
        necessary=False,
    )


def compare_algorithms(lambdarank: CrossValidation, softrank: CrossValidation) -> Property:
    """Check that the objective matters as much as the algorithm.

    The paper finds the improvement by an informative objective similar to that of LambdaRank over
    SoftRank. Here: at least half of it, averaged over the two pairs and both algorithms.
    """
    gains, better = [], []
    for informative, test in PAIRS:
        own, place = (lambdarank.train_measures.index(test), lambdarank.test_measures.index(test))
        better.append(lambdarank.mean[0, own, place] - softrank.mean[0, own, place])
        for result in (lambdarank, softrank):
            gains.append(result.mean[0, result.train_measures.index(informative), place])
            gains[-1] -= result.mean[0, own, place]
    objective, algorithm = 100 * float(np.mean(gains)), 100 * float(np.mean(better))
    return Property(
        "an informative objective improves the test measure at least half as much as LambdaRank "
        "instead of SoftRank does",
        objective >= abs(algorithm) / 2,
        f"{objective:+.2f} and {algorithm:+.2f} on average over P@10 and nDCG@10",
        necessary=False,
    )
