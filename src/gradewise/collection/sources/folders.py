"""Folders of BEIR and MTEB: the judgments of a split, wherever they lie."""

import re
from pathlib import Path

from gradewise.collection.sources.given import Given
from gradewise.collection.sources.source import Source
from gradewise.errors import InputError

# Where judgments lie, the first that is there; MTEB's default configuration is in `data`.
_PLACES = ("qrels", "*-qrels", "*/qrels", "default", "data", ".")
_FORMATS = (".tsv", ".txt", ".csv", ".jsonl", ".json", ".ndjson", ".parquet")
_PACKED = (".gz", ".zst", ".xz", ".bz2")
_SHARD = re.compile(r"-\d+-of-\d+$")
_OTHERS = ("corpus", "queries", "readme", "dataset_infos", "top_ranked", "instructions")
_SPLIT = "test"  # what papers report


def folder_source(folder: Path, *, hashed: bool, given: Given | None) -> Source:
    """Return the judgments of a folder: those for testing, if there are several splits."""
    from gradewise.collection.sources.frames import parquet_source
    from gradewise.collection.sources.opening import open_source

    splits = _splits(folder)
    if _SPLIT not in splits and len(splits) != 1:
        if not splits:
            raise InputError(f"{folder}: this folder contains no judgments, such as qrels/test.tsv")
        shown = ", ".join(str(files[0]) for files in splits.values())
        raise InputError(
            f"{folder}: this folder contains several sets of judgments; give one of {shown}"
        )
    files = splits[_SPLIT if _SPLIT in splits else next(iter(splits))]
    if len(files) > 1:
        source = parquet_source(files, grades=True, given=given)
    else:
        source = open_source(files[0], grades=True, hashed=hashed, given=given)
    others = [split for split in splits if split != _SPLIT and len(splits) > 1]
    more = f", not {', '.join(others)}" if others else ""
    source.found = f"read {files[0]}{more}"
    return source


def _splits(folder: Path) -> dict[str, list[Path]]:
    """Return the files of each split, in the first place that has any, in one format."""
    for place in _PLACES:
        found = [folder] if place == "." else sorted(folder.glob(place))
        places = [path for path in found if path.is_dir()]
        several = len(places) > 1
        splits: dict[str, list[Path]] = {}
        for path in places:
            for split, files in _split_files(path).items():
                splits[f"{path.relative_to(folder)}/{split}" if several else split] = files
        if splits:
            return splits
    return {}


def _split_files(folder: Path) -> dict[str, list[Path]]:
    """Return the files of a folder by split, which their names or those of folders tell."""
    splits: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        if path.name[0] == ".":
            continue
        if path.is_dir():
            files = [file for file in sorted(path.glob("*.parquet")) if file.is_file()]
            if files and path.name.lower() not in _OTHERS:
                splits[path.name] = files
            continue
        split = _SHARD.sub("", _bare(path.name))
        if _ending(path) in _FORMATS and split.lower() not in _OTHERS:
            splits.setdefault(split, []).append(path)
    return {split: _one_format(files) for split, files in splits.items()}


def _ending(path: Path) -> str:
    packed = path.suffix.lower() in _PACKED
    return Path(path.stem if packed else path.name).suffix.lower()


def _bare(name: str) -> str:
    return name.partition(".")[0]


def _one_format(files: list[Path]) -> list[Path]:
    """Return the files of the first format that there is."""
    first = min((_ending(path) for path in files), key=_FORMATS.index)
    chosen = [path for path in files if _ending(path) == first]
    return chosen if first == ".parquet" else chosen[:1]
