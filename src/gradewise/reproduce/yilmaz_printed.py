"""Yilmaz & Robertson 2010: the numbers that the paper prints."""

from gradewise.reproduce.yilmaz_sets import NDCG, NDCG_10, OBJECTIVES

TESTS = ("AP", "P@10", NDCG_10)
TREC = ("TREC 9", "TREC 10")
# Table 1: RMS and MAE for TREC 9, then for TREC 10.
CURVES = {"AP": (0.1666, 0.1134, 0.1620, 0.1086), NDCG: (0.2034, 0.1686, 0.1751, 0.1214)}
# Tables 2 to 4: a row for each objective, a column for each test measure.
PRINTED = {
    "table2": (
        ("62.91°", "54.96•", "63.03•"),
        ("62.28", "54.44", "62.24"),
        ("62.82", "54.92•", "62.98•"),
        ("62.30", "54.72•", "62.41"),
    ),
    "table3": (
        ("61.95°", "54.21°", "61.29"),
        ("59.99", "52.73", "61.81"),
        ("61.30", "53.27•", "62.90°"),
        ("60.82", "52.77", "62.37"),
    ),
    "table4": (
        ("64.36°", "56.40°", "64.94"),
        ("63.98", "56.12", "64.65"),
        ("64.14", "55.96", "65.55°"),
        ("63.77", "55.95", "65.31"),
    ),
}
# Table 5, of 4,600 points: better and better by more than .003, in training and in testing.
OPTIMA = {
    "AP": (325, 0, 271, 0),
    "P@10": (252, 0, 539, 15),
    NDCG: (226, 0, 590, 17),
    NDCG_10: (150, 0, 670, 22),
}


def printed_value(part: str, objective: str, test: str) -> float:
    """Return a value of Table 2, 3 or 4 without its marks."""
    return float(PRINTED[part][OBJECTIVES.index(objective)][TESTS.index(test)].rstrip("•°"))
