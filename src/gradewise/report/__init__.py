"""What people read: figures, the HTML report, trec_eval's output, the demo."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gradewise.report import figures
    from gradewise.report.make import Report, make_report

_PLACES = {
    "Report": "gradewise.report.make",
    "make_report": "gradewise.report.make",
}

__all__ = ["Report", "figures", "make_report"]


def __getattr__(name: str) -> Any:  # so that trec_eval's output needs nothing of the report
    if name in _PLACES:
        return getattr(import_module(_PLACES[name]), name)
    if name == "figures":
        return import_module("gradewise.report.figures")
    raise AttributeError(f"module 'gradewise.report' has no attribute {name!r}")
