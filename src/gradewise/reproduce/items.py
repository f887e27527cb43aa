"""The index of published tables and figures: what each is reproduced on, and what came of it.

A verdict is stated here, since some parts take an hour to compute. `verdict_of` computes it from
the sections of a part; tests compare the two wherever that takes seconds, and slow tests elsewhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from gradewise.errors import OptionError, did_you_mean
from gradewise.reproduce.result import Section
from gradewise.tables import Table

Witness = Literal["exact", "simulated", "other data"]
Verdict = Literal["agrees", "holds", "holds in part", "does not hold"]
WITNESSES: dict[Witness, str] = {
    "exact": "the paper's own input; printed numbers must come out to the last digit",
    "simulated": "the paper's method on simulated runs, topics or judgments",
    "other data": "the paper's method on real data other than the paper's",
}
VERDICTS: dict[Verdict, str] = {
    "agrees": "every printed number agrees, and every claim holds",
    "holds": "every claim holds",
    "holds in part": "some claims hold, others do not",
    "does not hold": "no claim holds",
}


@dataclass(frozen=True)
class Item:
    """A published table or figure, and how it is reproduced."""

    paper: str
    part: str
    title: str
    data: str
    assumption: str
    witness: Witness
    verdict: Verdict
    needs_data: bool = False

    @property
    def name(self) -> str:
        """What the command line calls the item, such as `kishida:table3`."""
        return f"{self.paper}:{self.part}"


_NONE = "none"
_RUNS = "runs of TREC-COVID and Robust 2003"
_OTHER_RUNS = "the paper's runs are not public; other real runs"
_TOPICS = "simulated topics; sample of MSLR-WEB"
_WEB = "the paper's queries are not public; similar topics"

ITEMS: tuple[Item, ...] = (
    Item(
        "kishida", "table1", "change of AP when a relevant document is found",
        "definitions", _NONE, "exact", "holds in part",
    ),
    Item(
        "kishida", "table2", "variance between topics and between judgments",
        "simulated judgments", "P(relevant) = pi; the text has it reversed",
        "simulated", "agrees",
    ),
    Item(
        "kishida", "table3", "mean and deviation of indicators over 136 patterns",
        "definitions", "sample standard deviation (n - 1)", "exact", "agrees",
    ),
    Item(
        "kishida", "table4", "correlations of indicators over 136 patterns",
        "definitions", _NONE, "exact", "agrees",
    ),
    Item(
        "kishida", "table5", "indicators for some patterns",
        "definitions", _NONE, "exact", "agrees",
    ),
    Item(
        "robertson", "table1", "training for nDCG, GAP and AP: Web queries",
        "simulated topics", _WEB, "simulated", "holds in part",
    ),
    Item(
        "robertson", "table2", "training for nDCG, GAP and AP: OHSUMED",
        "OHSUMED, LETOR 3.0", "the paper does not name its version of LETOR",
        "other data", "holds in part", needs_data=True,
    ),
    Item(
        "robertson", "figure2", "informativeness of GAP over g, and of nDCG",
        _RUNS, _OTHER_RUNS, "other data", "holds in part", needs_data=True,
    ),
    Item(
        "robertson", "figure3", "discriminative power of GAP and nDCG",
        _RUNS, _OTHER_RUNS, "other data", "holds in part", needs_data=True,
    ),
    Item(
        "yilmaz", "table1", "errors of curves inferred from AP and nDCG",
        _RUNS, _OTHER_RUNS, "other data", "holds in part", needs_data=True,
    ),
    Item(
        "yilmaz", "table2", "LambdaRank trained for four measures, 2K queries",
        _TOPICS, _WEB, "simulated", "holds in part",
    ),
    Item(
        "yilmaz", "table3", "SoftRank trained for four measures, 2K queries",
        _TOPICS, _WEB, "simulated", "holds in part",
    ),
    Item(
        "yilmaz", "table4", "LambdaRank trained for four measures, 30K queries",
        "simulated topics", _WEB, "simulated", "holds in part",
    ),
    Item(
        "yilmaz", "table5", "local optimality of trained nets",
        _TOPICS, _WEB, "simulated", "holds in part",
    ),
    Item(
        "yilmaz", "figure1", "agreement of AP and nDCG with P@10",
        _RUNS, _OTHER_RUNS, "other data", "holds in part", needs_data=True,
    ),
    Item(
        "yilmaz", "figure3", "P@10 inferred from AP and from nDCG",
        _RUNS, _OTHER_RUNS, "other data", "holds in part", needs_data=True,
    ),
    Item(
        "yilmaz", "figure4", "training with fewer features and topics",
        _TOPICS, _WEB, "simulated", "holds in part",
    ),
    Item(
        "yilmaz", "figure5", "learning curves of the trained measures",
        "simulated topics", _WEB, "simulated", "holds",
    ),
    Item(
        "ferrante", "table1", "relevant documents and topics with few key documents",
        "qrels of TREC 10, 14 and 21", "TREC 21: navigational counts as key",
        "exact", "agrees", needs_data=True,
    ),
    Item(
        "ferrante", "table2", "tau between measures over g, two grades",
        f"qrels of TREC 10 and 14; {_RUNS}", "simulated runs; other real runs",
        "simulated", "holds in part", needs_data=True,
    ),
    Item(
        "ferrante", "table3", "tau between measures over g, three grades",
        "qrels of TREC 21", "simulated runs", "simulated", "holds in part",
        needs_data=True,
    ),
    Item(
        "ferrante", "figure1", "robustness to missing judgments, two grades",
        f"qrels of TREC 10 and 14; {_RUNS}", "simulated runs; other real runs",
        "simulated", "holds in part", needs_data=True,
    ),
    Item(
        "ferrante", "figure2", "robustness to missing judgments, three grades",
        "qrels of TREC 21", "simulated runs", "simulated", "holds in part",
        needs_data=True,
    ),
    Item(
        "moffat", "table1", "weights of SDCG",
        "definitions", _NONE, "exact", "agrees",
    ),
    Item(
        "moffat", "table2", "trace of the algorithm for MED of nDCG",
        "the paper's example", _NONE, "exact", "holds in part",
    ),
    Item(
        "moffat", "table3", "differences under four assignments, and MED",
        "the paper's example", _NONE, "exact", "agrees",
    ),
    Item(
        "moffat", "figure1", "relevant documents at three thresholds",
        "qrels of TREC 2013 and 2014 Web", "a document counts once for each intent",
        "exact", "agrees", needs_data=True,
    ),
    Item(
        "moffat", "figure2", "ideal DCG@20 and two scaling constants",
        "qrels of TREC 2013 and 2014 Web", _NONE, "exact", "holds in part", needs_data=True,
    ),
)  # fmt: skip
PAPERS = tuple(dict.fromkeys(item.paper for item in ITEMS))


def items_of(paper: str = "", part: str = "") -> list[Item]:
    """Return the items of a paper, or one of them, or all."""
    if paper and paper not in PAPERS:
        raise OptionError(f"there is no paper {paper!r}{did_you_mean(paper, PAPERS)}")
    found = [item for item in ITEMS if paper in ("", item.paper)]
    parts = [item.part for item in found]
    if part and part not in parts:
        near = did_you_mean(part, parts)
        raise OptionError(f"{paper} has no part {part!r}{near} (parts: {', '.join(parts)})")
    return [item for item in found if part in ("", item.part)]


def index(items: Iterable[Item] = ITEMS) -> Table:
    """Return the index as a table: item, data, assumption, witness, verdict."""
    header = ["item", "data", "assumption", "witness", "verdict"]
    rows = [[i.name, i.data, i.assumption, i.witness, i.verdict] for i in items]
    return Table(header, rows, labels=len(header))


def verdict_of(sections: Sequence[Section]) -> Verdict:
    """Return the verdict that the sections of a part amount to.

    A number that depends on chance agrees if it is within 3 standard errors of the printed one.
    """
    agree = [row.agrees for section in sections for row in section.compared]
    hold = [claim.holds for section in sections for claim in section.properties]
    if agree and all(agree) and all(hold):
        return "agrees"
    if all(agree) and hold and all(hold):
        return "holds"
    return "holds in part" if any(agree) or any(hold) else "does not hold"


def summarize(sections: Sequence[Section]) -> str:
    """Return the verdict on a part, with its counts, as one phrase."""
    agree = [row.agrees for section in sections for row in section.compared]
    hold = [claim.holds for section in sections for claim in section.properties]
    counts = []
    if agree:
        counts.append(f"{sum(agree)} of {len(agree)} numbers agree")
    if hold:
        counts.append(f"{sum(hold)} of {len(hold)} claims hold")
    return f"{verdict_of(sections)}: {', '.join(counts)}"
