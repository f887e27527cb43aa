"""Small text files, compressed or not, as strings."""

import os

from gradewise.collection.sources.streams import Stream
from gradewise.errors import InputError

_CHUNK = 1 << 16


def read_text(path: str | os.PathLike[str], most: int | None = None) -> str:
    """Return the text of a file, decompressed; or what its first `most` bytes hold."""
    stream, parts, left = Stream(path), [], most
    with stream.open() as reader:
        while left is None or left > 0:
            view = bytearray(_CHUNK if left is None else min(_CHUNK, left))
            count = reader.readinto(memoryview(view))
            if not count:
                break
            parts.append(bytes(view[:count]))
            left = None if left is None else left - count
    try:
        return b"".join(parts).decode("utf-8", "strict" if most is None else "ignore")
    except UnicodeDecodeError:
        raise InputError(f"{stream.name}: this is not UTF-8 text") from None
