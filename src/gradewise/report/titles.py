"""A title that says what a report compares."""

from collections.abc import Sequence
from pathlib import PurePath

from gradewise.collection.judged import Judged
from gradewise.errors import counted
from gradewise.measures.scores import Scores
from gradewise.report.sources import Source

_LONG = 60  # letters of a name


def title_of(lists: Judged | Scores, sources: Sequence[Source]) -> str:
    """Return a title from runs, topics and the name of the judgments.

    Examples
    --------
    >>> import gradewise as gw
    >>> title_of(gw.judge({"1": {"a": 1}}, {"mine": {"1": {"a": 1.0}}}), [])
    'mine on 1 topic'
    """
    runs = lists.runs
    who = counted(len(runs), "run") if len(runs) > 2 else " and ".join(map(_shortened, runs))
    name = _name_of(sources[0]) if sources else ""
    of = f" of {name}" if name else ""
    return f"{who} on {counted(len(lists.topics), 'topic')}{of}"


def _name_of(source: Source) -> str:
    """Return the name of a file without its endings; nothing of what is no file."""
    if source.digest is None and not source.place.startswith("irds:"):
        return ""
    name = source.place.removeprefix("irds:")
    if source.digest is not None:
        name = PurePath(name).name
        for ending in (".gz", ".xz", ".bz2", ".zst", ".txt", ".csv", ".tsv", ".json", ".jsonl"):
            name = name.removesuffix(ending)
        for ending in (".parquet", ".qrels"):
            name = name.removesuffix(ending)
    plain = name.lower().strip("._-")
    return "" if plain in ("qrels", "qrel", "judgments", "scores") else _shortened(name)


def _shortened(name: str) -> str:
    return name if len(name) <= _LONG else name[: _LONG - 1] + "…"
