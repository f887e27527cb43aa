"""What runs are called: by the user, or by their sources."""

import os
from collections.abc import Iterable, Mapping
from typing import Any, cast

from gradewise.collection.accepted import RunsLike
from gradewise.collection.reading import run_name
from gradewise.collection.run import Run
from gradewise.collection.sources.frames import is_frame
from gradewise.errors import InputError


def name_runs(runs: RunsLike) -> list[tuple[str, Any]]:
    """Return (name, source) for one run, a list of runs, or a dictionary {name: run}."""
    if isinstance(runs, Mapping) and not _is_single_dict(runs):
        named = [(str(name), source) for name, source in runs.items()]
    else:
        single = isinstance(runs, (Run, Mapping, str, os.PathLike)) or is_frame(runs)
        sources = [runs] if single or hasattr(runs, "read") else list(cast(Iterable[Any], runs))
        named = [(run_name(source), source) for source in sources]
    if not named:
        raise InputError("no run is given")
    seen: dict[str, int] = {}
    for name, _ in named:
        seen[name] = seen.get(name, 0) + 1
    twice = [name for name, count in seen.items() if count > 1]
    if twice:
        raise InputError(f"two runs are named {twice[0]!r}; name them, as in {{'first': run, ...}}")
    return named


def _is_single_dict(runs: Mapping[Any, Any]) -> bool:
    """Tell a run {topic: {document: score}} from runs {name: run}."""
    inner = [value for value in runs.values() if isinstance(value, Mapping)]
    deeper = any(isinstance(value, Mapping) for mapping in inner for value in mapping.values())
    return bool(inner) and len(inner) == len(runs) and not deeper and any(inner)
