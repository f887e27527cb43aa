"""A whole text in memory as bytes, wherever it comes from and however it is compressed."""

import os
import sys
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import accumulate
from pathlib import Path
from typing import BinaryIO, TextIO

import numpy as np

from gradewise.arrays import Bytes
from gradewise.errors import InputError, Problem

# Newlines behind the text: they end a last line that has no newline of its own, and let
# eight bytes be loaded from any position of the text.
PADDING = 64
_NEWLINE = 10


@dataclass(frozen=True)
class Text:
    """The bytes of a text: `data[:size]`, followed by PADDING newlines.

    It may consist of several files; `names[i]` begins at `starts[i]`.
    """

    names: tuple[str, ...]
    data: Bytes
    size: int
    starts: tuple[int, ...] = (0,)

    @property
    def name(self) -> str:
        """What messages call the text."""
        return ", ".join(self.names)

    def place_of(self, position: int) -> tuple[str, str]:
        """Return the place of a position as `path:line`, and the line."""
        index = bisect_right(self.starts, position) - 1
        begin = self.starts[index]
        before = self.data[begin:position].tobytes()
        number = before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n") + 1
        start = begin + max(before.rfind(b"\n"), before.rfind(b"\r")) + 1
        line = self.data[start : start + 1000].tobytes().replace(b"\r", b"\n").split(b"\n")[0]
        shown = line.decode("utf-8", errors="backslashreplace").strip()
        return f"{self.names[index]}:{number}", shown

    def problem_at(self, position: int, reason: str) -> Problem:
        """Describe what is wrong at a position."""
        place, line = self.place_of(position)
        return Problem(place, reason, line)


def read_texts(paths: Sequence[str | os.PathLike[str]]) -> Text:
    """Read several files as one text, so that many small ones are worked on as a large one."""
    together = _read_plain_files(paths)
    if together is not None:
        return together
    texts = [read_text(path) for path in paths]
    pieces = [text.data[: text.size + (text.data[text.size - 1] != _NEWLINE)] for text in texts]
    starts = (0, *accumulate(len(piece) for piece in pieces))
    data = np.concatenate([*pieces, np.full(PADDING, _NEWLINE, np.uint8)])
    return Text(tuple(text.name for text in texts), data, starts[-1], starts[:-1])


def _read_plain_files(paths: Sequence[str | os.PathLike[str]]) -> Text | None:
    """Read files into one array; None if one is compressed, empty, marked or cannot be read."""
    try:
        sizes = [Path(path).stat().st_size for path in paths]
        data = np.empty(sum(sizes) + len(sizes) + PADDING, np.uint8)
        starts, end = [], 0
        for path, size in zip(paths, sizes, strict=True):
            starts.append(end)
            with Path(path).open("rb", buffering=0) as file:
                if not size or file.readinto(data[end : end + size].data) != size:
                    return None
            head = data[end : end + min(size, _HEAD)].tobytes()
            if _compression(head) or head.startswith((_UTF_8, *_UTF_16)):
                return None
            end += size
            if data[end - 1] != _NEWLINE:
                data[end] = _NEWLINE
                end += 1
    except (OSError, ValueError):
        return None
    data[end:] = _NEWLINE
    return Text(tuple(map(str, paths)), data[: end + PADDING], end, tuple(starts))


def read_text(source: str | os.PathLike[str] | BinaryIO | TextIO) -> Text:
    """Read a path, "-" for standard input, or an open file; decompress by content."""
    name, raw = _read_raw(source)
    content = _decompress(name, raw)
    if content[:2].tobytes() in _UTF_16:
        raise InputError(f"{name}: this is UTF-16 text; save it as UTF-8")
    bom = 3 if content[:3].tobytes() == _UTF_8 else 0
    size = len(content) - PADDING - bom
    if size == 0:
        raise InputError(f"{name}: the file is empty")
    return Text((name,), content[bom:], size)


def text_from_bytes(name: str, content: bytes) -> Text:
    """Make a text of bytes that are already in memory."""
    return Text((name,), _padded(content), len(content))


def _read_raw(source: str | os.PathLike[str] | BinaryIO | TextIO) -> tuple[str, Bytes]:
    if isinstance(source, (str, os.PathLike)):
        if str(source) == "-":
            return "standard input", _padded(sys.stdin.buffer.read())
        path = Path(source)
        try:
            return str(path), _read_file(path)
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({_reason(error)})") from None
        except ValueError as error:  # a name that no file can have
            raise InputError(f"{str(path)!r}: cannot be read ({error})") from None
    content = source.read()
    name = str(getattr(source, "name", "stream"))
    if isinstance(content, str):
        try:
            content = content.encode("utf-8")
        except UnicodeEncodeError:
            raise InputError(f"{name}: this is not Unicode text") from None
    return name, _padded(content)


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _read_file(path: Path) -> Bytes:
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if not path.is_file():  # a pipe or a device has no size to rely on
            return _padded(file.read())
        data = np.empty(size + PADDING, np.uint8)
        view = data.data
        filled = 0
        while filled < size:
            count = file.readinto(view[filled:size])
            if not count:
                break
            filled += count
    data[filled:] = _NEWLINE
    return data[: filled + PADDING]


def _padded(content: bytes) -> Bytes:
    data = np.empty(len(content) + PADDING, np.uint8)
    data[: len(content)] = np.frombuffer(content, np.uint8)
    data[len(content) :] = _NEWLINE
    return data


_MODULES = {
    "gzip": "gzip",
    "xz": "lzma",
    "bzip2": "bz2",
    "zstandard": "compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd",
}
_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # what follows "BZh9", which may begin a topic
_UTF_8, _UTF_16 = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")  # byte-order marks
_HEAD = 10


def _compression(head: bytes) -> str | None:
    """Tell how data is compressed by its first bytes."""
    if head.startswith(b"\x1f\x8b"):
        return "gzip"
    if head.startswith(b"\xfd7zXZ\x00"):
        return "xz"
    if head.startswith(b"\x28\xb5\x2f\xfd") or (head[1:4] == b"\x2a\x4d\x18" and head[0] >> 4 == 5):
        return "zstandard"
    is_bzip2 = head[:3] == b"BZh" and head[3:4] in b"123456789" and len(head) > 3
    if is_bzip2 and any(block.startswith(head[4:]) for block in _BZIP2_BLOCKS):
        return "bzip2"
    return None


def _decompress(name: str, raw: Bytes) -> Bytes:
    kind = _compression(raw[: min(_HEAD, len(raw) - PADDING)].tobytes())
    if kind is None:
        return raw
    import lzma  # these take a while to import, and most files are plain
    import zlib

    decompress = import_module(_MODULES[kind]).decompress
    try:
        return _padded(decompress(raw[:-PADDING].tobytes()))
    except (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error) as error:
        raise InputError(f"{name}: damaged {kind} data ({error})") from None
    except Exception as error:  # ZstdError has no base in common before Python 3.14
        if type(error).__name__ != "ZstdError":
            raise
        raise InputError(f"{name}: damaged {kind} data ({error})") from None
