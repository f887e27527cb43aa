"""Results that are kept in a folder: with a checksum, and with the version that computed them."""

import hashlib
import io
import sys
from importlib import import_module
from pathlib import Path

import numpy as np

from gradewise.arrays import Floats
from gradewise.files import whole_file

Result = dict[str, Floats]
_DIGEST = hashlib.sha256().digest_size


def kept_name(key: str) -> str:
    """Return the name of the file that keeps a result; another version looks for another one."""
    version = import_module("gradewise").__version__  # which stands above all rooms
    return f"{key}-{version}.kept"


def write_kept(path: Path, result: Result) -> None:
    """Keep a result: the SHA-256 of what follows, and arrays in NumPy's format."""
    packed = io.BytesIO()
    np.savez(packed, **result)  # type: ignore[arg-type]
    content = packed.getvalue()
    with whole_file(path, at_once=True) as temporary:
        temporary.write_bytes(hashlib.sha256(content).digest() + content)


def read_kept(path: Path) -> Result | None:
    """Return a result that was kept; None if there is none, or if the file is damaged."""
    try:
        stored = path.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        _tell(path, (error.strerror or str(error)).lower())
        return None
    content = stored[_DIGEST:]
    if hashlib.sha256(content).digest() != stored[:_DIGEST]:
        _tell(path, "it does not match its checksum")
        return None
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        return {name: arrays[name] for name in arrays.files}


def _tell(path: Path, reason: str) -> None:
    print(f"gradewise: {path}: cannot be used ({reason}); recomputing it", file=sys.stderr)
