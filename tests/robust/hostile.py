"""Names that attack what they are written into, and a collection that has only such names."""

import re
from typing import Any, NamedTuple

import gradewise as gw

MARKUP = (
    "</script><script>window.stolen=1</script>",
    "<img src=x onerror='window.stolen=1'>",
    '"><svg onload="window.stolen=1">',
    "'-alert(1)-'",
    "javascript:window.stolen=1//",
    "{{data}}${window.stolen=1}\u2028]]>",
)


def hostile(name: str) -> str:
    """Return a name that attacks; each kind of attack comes up among a few names."""
    number = int(re.sub(r"\D", "", name) or len(name))
    return f"{MARKUP[number % len(MARKUP)]}{name}"


class Hostile(NamedTuple):
    """A collection whose topics, documents and runs attack."""

    qrels: gw.Qrels
    runs: dict[str, gw.Run]


def renamed(made: Any) -> Hostile:
    """Return a collection with other names."""
    qrels = {
        hostile(topic): {hostile(doc): grade for doc, grade in docs.items()}
        for topic, docs in made.qrels.to_dict().items()
    }
    runs = {}
    for name, run in made.runs.items():
        lists = {
            hostile(topic): {hostile(doc): score for doc, score in docs.items()}
            for topic, docs in run.to_dict().items()
        }
        runs[hostile(name)] = gw.read_run(lists, name=hostile(name))
    return Hostile(gw.read_qrels(qrels), runs)
