"""Output files that are written whole or not at all, compressed by the ending of their name."""

import bz2
import contextlib
import gzip
import lzma
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO, cast

from gradewise.errors import GradewiseError, did_you_mean
from gradewise.temporary import defer, forget, make_temporary


def _open_zstd(path: Path) -> BinaryIO:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    # Without a checksum, damage can go unnoticed when the file is read.
    return cast(
        BinaryIO, zstd.open(path, "wb", options={zstd.CompressionParameter.checksum_flag: 1})
    )


@contextlib.contextmanager
def _open_gzip(path: Path) -> Iterator[BinaryIO]:
    # No name and no time in the header: the same content gives the same bytes.
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        yield cast(BinaryIO, packed)


def _open_plain(path: Path) -> BinaryIO:
    return path.open("wb")


_OPENERS: dict[str, Callable[[Path], AbstractContextManager[BinaryIO]]] = {
    ".gz": _open_gzip,
    ".zst": _open_zstd,
    ".xz": lambda path: cast(BinaryIO, lzma.open(path, "wb")),
    ".bz2": lambda path: cast(BinaryIO, bz2.open(path, "wb")),
}
COMPRESSED = frozenset(_OPENERS)


def file_kind(path: str | os.PathLike[str]) -> str:
    """Return the ending of a name without its dot and without that of a compression.

    Examples
    --------
    >>> file_kind("scores.csv.gz"), file_kind("scores")
    ('csv', '')
    """
    name = Path(path)
    inner = Path(name.stem) if name.suffix.lower() in COMPRESSED else name
    return inner.suffix.lower().removeprefix(".")


def is_file(text: str | os.PathLike[str]) -> bool:
    """Tell whether there is such a file; a text that cannot be a name is none."""
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # too long, or with a null character
        return False


def suggest_file(path: str | os.PathLike[str]) -> str:
    """Return "; did you mean X?" for files beside a path with near names, endings aside."""
    wanted = Path(path)
    try:
        names = sorted(os.listdir(wanted.parent))  # noqa: PTH208
    except (OSError, ValueError):
        return ""
    by_stem = {Path(name).stem: name for name in names}
    return did_you_mean(wanted.stem, by_stem, by_stem.__getitem__)


def make_folder(path: str | os.PathLike[str]) -> Path:
    """Make a folder and those above it, if they are not there."""
    folder = Path(path)
    with _named(path, "made"):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextlib.contextmanager
def _named(path: str | os.PathLike[str], done: str) -> Iterator[None]:
    """Turn what the system says into a sentence about a path."""
    try:
        yield
    except (OSError, RuntimeError, ValueError) as error:
        if isinstance(error, GradewiseError):
            raise
        reason = (getattr(error, "strerror", None) or str(error)).lower()
        raise GradewiseError(f"{path}: cannot be {done} ({reason})") from None


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str], *, at_once: bool = False) -> Iterator[Path]:
    """Give a temporary path beside `path`, and move it there only if all went well.

    A link is followed; a pipe or device cannot be replaced and is written to as it is. Inside
    `together`, the file is moved at the end with all others, unless it is wanted `at_once`.
    """
    with _named(path, "written"):
        target = Path(path).resolve()
        if target.exists() and not target.is_file():
            if target.is_dir():
                raise GradewiseError(f"{path}: cannot be written (it is a folder)")
            yield target
            return
        temporary = make_temporary(target)
        try:
            yield temporary
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)
            if at_once or not defer(temporary, target):
                temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise
        finally:
            forget(temporary)


@contextlib.contextmanager
def open_output(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """Open a file for writing bytes; "-" is standard output."""
    if str(path) == "-":
        yield cast(BinaryIO, sys.stdout.buffer)
        sys.stdout.buffer.flush()
        return
    opener = _OPENERS.get(Path(path).suffix.lower(), _open_plain)
    with whole_file(path) as temporary, opener(temporary) as file:
        yield file


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write a text file whole."""
    write_bytes(path, text.encode("utf-8", "backslashreplace"))


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Write a file whole."""
    with open_output(path) as file:
        file.write(content)
