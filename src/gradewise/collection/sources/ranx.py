"""Objects of ranx: its Qrels and Run."""

from typing import Any

from gradewise.collection.sources.rows import DictSource
from gradewise.errors import MissingDependencyError


def is_ranx(source: object) -> bool:
    """Tell whether an object is ranx's Qrels or Run, without importing it."""
    kind = type(source)
    return kind.__module__.partition(".")[0] == "ranx" and kind.__name__ in ("Qrels", "Run")


class RanxSource(DictSource):
    """The rows of Qrels or a Run, in ranx's order."""

    def __init__(self, source: Any, *, grades: bool):
        name = getattr(source, "name", None) or ("qrels" if grades else "run")
        super().__init__(str(name), source.to_dict(), grades=grades)


def import_ranx() -> Any:
    """Return the library, to make objects of it."""
    try:
        import ranx
    except ImportError:
        raise MissingDependencyError("ranx", "ranx", "to_ranx") from None
    return ranx
