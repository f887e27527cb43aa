"""Compressed bytes, told by their first bytes and decompressed as they are read.

A small file can hold any amount of data. What grows to more than EXPANSION times its size is
refused, unless it is little; the environment variable GRADEWISE_EXPANSION sets another limit.
"""

import os
from collections.abc import Callable
from typing import Any, Protocol

from gradewise.errors import InputError, OptionError

HEAD = 10  # so many bytes tell how data is compressed
EXPANSION = 200  # text of qrels and runs becomes 5 to 30 times smaller
VARIABLE = "GRADEWISE_EXPANSION"
_CHUNK = 1 << 17
_LITTLE = 1 << 27  # bytes that anything may grow to
_BZIP2_BLOCKS = (b"1AY&SY", b"\x17rE8P\x90")  # what follows "BZh9", which may begin a topic


class Reader(Protocol):
    """Whatever bytes can be read from."""

    def readinto(self, view: memoryview, /) -> int | None:
        """Fill a view from its start; return how many bytes were read, 0 at the end."""


def compression(head: bytes) -> str | None:
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


class _Gunzip:
    """zlib's decompressor with the methods that those of bz2, lzma and zstd have."""

    def __init__(self) -> None:
        import zlib

        self.engine = zlib.decompressobj(wbits=31)

    def decompress(self, data: bytes, most: int) -> bytes:
        return self.engine.decompress(self.engine.unconsumed_tail + data, most)

    @property
    def eof(self) -> bool:
        return self.engine.eof

    @property
    def unused_data(self) -> bytes:
        return self.engine.unused_data

    @property
    def needs_input(self) -> bool:
        return not self.engine.unconsumed_tail


def _unxz() -> Any:
    import lzma

    return lzma.LZMADecompressor(lzma.FORMAT_XZ)


def _bunzip2() -> Any:
    import bz2

    return bz2.BZ2Decompressor()


def _unzstd() -> Any:
    import sys

    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    return zstd.ZstdDecompressor()


_ENGINES: dict[str, Callable[[], Any]] = {
    "gzip": _Gunzip,
    "xz": _unxz,
    "bzip2": _bunzip2,
    "zstandard": _unzstd,
}
_PADDED = ("gzip", "xz")  # whose members zeros may follow


def _expansion() -> float:
    """Return how many times its size compressed data may grow to."""
    given = os.environ.get(VARIABLE, "")
    if not given:
        return EXPANSION
    try:
        limit = float(given)
    except ValueError:
        limit = 0.0
    if not limit >= 1:
        raise OptionError(f"{VARIABLE} must be a number of at least 1, not {given!r}")
    return limit


class Decompressed:
    """The content of compressed bytes: one member after the other, each of them whole."""

    def __init__(self, name: str, kind: str, raw: Reader):
        self.name, self.kind, self.raw = name, kind, raw
        self.engine = _ENGINES[kind]()
        self.waiting = b""  # compressed bytes that have been read
        self.buffer = bytearray(_CHUNK)
        self.limit = _expansion()
        self.taken = self.given = 0  # bytes, compressed and not

    def readinto(self, view: memoryview, /) -> int:
        """Fill a view from its start; return how many bytes were read, 0 at the end."""
        while True:
            if self.engine.eof and not self._next_member():
                return 0
            try:
                data = self.engine.decompress(self.waiting, min(len(view), _CHUNK))
            except Exception as error:  # zlib, lzma and zstd have errors of their own
                if isinstance(error, MemoryError):
                    raise
                raise self._damaged(str(error)) from None
            self.waiting = b""
            if data:
                self._count(len(data))
                view[: len(data)] = data
                return len(data)
            if not self.engine.eof and self.engine.needs_input:
                self.waiting = self._read()
                if not self.waiting:
                    raise self._damaged("it is truncated")

    def _next_member(self) -> bool:
        """Begin with what follows a member; False if nothing does."""
        rest = self.engine.unused_data
        if self.kind in _PADDED:
            rest = rest.lstrip(b"\0")
        while not rest:
            chunk = self._read()
            if not chunk:
                return False
            rest = chunk.lstrip(b"\0") if self.kind in _PADDED else chunk
        self.engine, self.waiting = _ENGINES[self.kind](), rest
        return True

    def _read(self) -> bytes:
        count = self.raw.readinto(memoryview(self.buffer))
        self.taken += count or 0
        return bytes(self.buffer[: count or 0])

    def _count(self, size: int) -> None:
        self.given += size
        if self.given > _LITTLE and self.given > self.limit * self.taken:
            raise InputError(
                f"{self.name}: grows to more than {self.limit:g} times its size when decompressed, "
                f"and may be harmful; if you trust it, set {VARIABLE} to a higher number"
            )

    def _damaged(self, reason: str) -> InputError:
        return InputError(f"{self.name}: damaged {self.kind} data ({reason})")
