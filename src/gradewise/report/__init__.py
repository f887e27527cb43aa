"""What people read: figures, the HTML report, pages to judge in, trec_eval's output, the demo."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradewise.report import figures
    from gradewise.report.document import Report
    from gradewise.report.judging import JudgingPage, make_judging_page
    from gradewise.report.make import make_report
    from gradewise.report.of_scores import report_scores
    from gradewise.report.section import Section
    from gradewise.report.texts import read_texts

_PLACES = {
    "JudgingPage": "gradewise.report.judging",
    "make_judging_page": "gradewise.report.judging",
    "read_texts": "gradewise.report.texts",
    "Report": "gradewise.report.document",
    "Section": "gradewise.report.section",
    "make_report": "gradewise.report.make",
    "report_scores": "gradewise.report.of_scores",
}

__all__ = [
    "JudgingPage",
    "Report",
    "Section",
    "figures",
    "make_judging_page",
    "make_report",
    "read_texts",
    "report_scores",
]


def __getattr__(name: str) -> Any:  # so that trec_eval's output needs nothing of the report
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name == "figures":
        return import_module("gradewise.report.figures")
    raise AttributeError(f"module 'gradewise.report' has no attribute {name!r}")
