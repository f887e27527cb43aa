"""Bytes that can be read as often as wanted: files, open files, pipes."""

import contextlib
import io
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO, Any

import numpy as np

from gradewise.arrays import Bytes
from gradewise.collection.sources.blocks import LONGEST_ROW
from gradewise.collection.sources.compression import HEAD, Decompressed, Reader, compression
from gradewise.errors import InputError
from gradewise.files import suggest_file

_UTF_8, _UTF_16 = b"\xef\xbb\xbf", (b"\xff\xfe", b"\xfe\xff")  # byte-order marks
_JSON = 1 << 20  # what JSON may need to show its shape
_IN_MEMORY = 1 << 26  # what comes through a pipe is kept in memory up to so many bytes


class Stream:
    """The content of a path, of "-" for standard input, or of an open file; decompressed.

    A pipe cannot be read twice, so what comes through it is kept while it is read, in a temporary
    file if there is much of it. With `hashed`, `digest` is the SHA-256 of the file, as it lies on
    disk, once it has been read to its end.
    """

    def __init__(self, source: str | os.PathLike[str] | IO[Any], *, hashed: bool = False):
        self.path: Path | None = None
        self.start = 0
        self.hashed = hashed
        self.digest: str | None = None
        if isinstance(source, (str, os.PathLike)) and str(source) != "-":
            self.path = Path(source)
            self.name = str(self.path)
            return
        file: Any = _standard_input() if isinstance(source, (str, os.PathLike)) else source
        self.name = "standard input" if file is not source else str(getattr(file, "name", "stream"))
        if _is_seekable(file):
            self.file, self.start = file, file.tell()
        else:
            self.file = _Kept(file)

    def open(self) -> AbstractContextManager[Reader]:
        """Give the content from its start, without a byte-order mark."""
        return self._content(hashed=self.hashed)

    @contextlib.contextmanager
    def _content(self, *, hashed: bool) -> Iterator[Reader]:
        with self._raw() as raw:
            named: Reader = _Named(self.name, raw)
            if hashed:
                named = _Hashed(self, named)
            head = _read_head(named, HEAD)
            kind = compression(head)
            reader: Reader = _Behind(head, named)
            if kind is not None:
                reader = Decompressed(self.name, kind, reader)
                head = _read_head(reader, 3)
                reader = _Behind(head, reader)
            if head[:2] in _UTF_16:
                raise InputError(f"{self.name}: this is UTF-16 text; save it as UTF-8")
            if head[:3] == _UTF_8:
                reader.readinto(memoryview(bytearray(3)))
            yield reader

    def head(self, size: int) -> Bytes:
        """Return what the content begins with: whole lines, or any bytes if it may be JSON.

        These are no more than `size` bytes, unless the first line is longer, or it may be JSON.
        """
        while True:
            with self._content(hashed=False) as reader:
                head = _read_head(reader, size)
            may_be_json = head.lstrip()[:1] in (b"{", b"[")
            if len(head) < size or (may_be_json and size >= _JSON):
                break
            if may_be_json:
                size = _JSON
                continue
            end = max(head.rfind(b"\n"), head.rfind(b"\r", 0, -1)) + 1
            if end or size >= LONGEST_ROW:
                head = head[:end]
                break
            size *= 16
        if head and not head.endswith((b"\n", b"\r")):
            head += b"\n"
        return np.frombuffer(head, np.uint8)

    @contextlib.contextmanager
    def _raw(self) -> Iterator[Reader]:
        if self.path is None:
            self.file.seek(self.start)
            yield self.file if hasattr(self.file, "readinto") else _Encoded(self.name, self.file)
            return
        try:
            file = self.path.open("rb", buffering=0)
        except OSError as error:
            near = suggest_file(self.path) if isinstance(error, FileNotFoundError) else ""
            raise InputError(f"{self.path}: cannot be read ({_reason(error)}){near}") from None
        except ValueError as error:  # a name that no file can have
            raise InputError(f"{str(self.path)!r}: cannot be read ({error})") from None
        if self.path.is_file():
            with file:
                yield file
            return
        # A named pipe: what it gives once must do for later, too.
        self.path, self.file = None, _Kept(file, owned=True)
        yield self.file


def _standard_input() -> Any:
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return sys.stdin.buffer


def _is_seekable(file: Any) -> bool:
    try:
        return bool(file.seekable())
    except (AttributeError, ValueError):
        return False


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()


def _read_head(reader: Reader, size: int) -> bytes:
    """Read so many bytes, or all if there are fewer."""
    head = bytearray(size)
    filled = 0
    while filled < size:
        count = reader.readinto(memoryview(head)[filled:])
        if not count:
            break
        filled += count
    return bytes(head[:filled])


class _Behind:
    """Some bytes that have been read already, and the rest behind them."""

    def __init__(self, head: bytes, rest: Reader):
        self.head, self.rest = head, rest

    def readinto(self, view: memoryview, /) -> int | None:
        if not self.head:
            return self.rest.readinto(view)
        count = min(len(self.head), len(view))
        view[:count] = self.head[:count]
        self.head = self.head[count:]
        return count


class _Named:
    """A reader whose errors name it."""

    def __init__(self, name: str, raw: Reader):
        self.name, self.raw = name, raw

    def readinto(self, view: memoryview, /) -> int | None:
        try:
            return self.raw.readinto(view)
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({_reason(error)})") from None


class _Hashed:
    """A reader that tells its stream the digest of all that was read."""

    def __init__(self, stream: Stream, raw: Reader):
        from hashlib import sha256

        self.stream, self.raw, self.hash = stream, raw, sha256()

    def readinto(self, view: memoryview, /) -> int | None:
        count = self.raw.readinto(view)
        if count:
            self.hash.update(view[:count])
        else:
            self.stream.digest = self.hash.hexdigest()
        return count


class _Encoded:
    """The bytes of a file that is open as text."""

    def __init__(self, name: str, file: Any):
        self.name, self.file = name, file
        self.waiting = b""

    def readinto(self, view: memoryview, /) -> int:
        if not self.waiting:
            text = self.file.read(len(view))
            try:
                self.waiting = text.encode("utf-8") if isinstance(text, str) else bytes(text or b"")
            except UnicodeEncodeError:
                raise InputError(f"{self.name}: this is not Unicode text") from None
        count = min(len(view), len(self.waiting))
        view[:count] = self.waiting[:count]
        self.waiting = self.waiting[count:]
        return count


class _Kept:
    """What a pipe gives, kept while it is read, so that it can be read again."""

    def __init__(self, pipe: Any, *, owned: bool = False):
        self.owned = owned  # nobody else will close it
        self.pipe: Any = pipe if hasattr(pipe, "readinto") else _Encoded("stream", pipe)
        self.kept: Any = tempfile.SpooledTemporaryFile(_IN_MEMORY)
        self.at = self.size = 0
        self.ended = False

    def seek(self, position: int) -> None:
        self.at = position

    def readinto(self, view: memoryview, /) -> int:
        if self.at < self.size:
            self.kept.seek(self.at)
            data = self.kept.read(min(len(view), self.size - self.at))
            view[: len(data)] = data
            self.at += len(data)
            return len(data)
        count = 0 if self.ended else self.pipe.readinto(view) or 0
        self.ended = count == 0
        if self.ended and self.owned:
            self.pipe.close()
        self._keep(bytes(view[:count]))
        self.at = self.size = self.size + count
        return count

    def __del__(self) -> None:
        self.kept.close()
        if self.owned:
            self.pipe.close()

    def _keep(self, data: bytes) -> None:
        try:
            self.kept.seek(self.size)
            self.kept.write(data)
        except OSError:  # no room on disk, or nowhere to write: in memory, then
            self.kept.seek(0)
            with self.kept as spooled:
                self.kept = io.BytesIO(spooled.read(self.size))
            self.kept.seek(self.size)
            self.kept.write(data)
