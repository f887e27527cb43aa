"""Arrays and what is known about them in one safetensors file: no pickle, no code.

The header of such a file can hold text; ours is JSON under the key `gradewise`, with the SHA-256 of
everything else.
"""

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gradewise.errors import InputError, MissingDependencyError
from gradewise.files import whole_file

_KEY, _VERSION = "gradewise", 1
_CHECKSUM = "sha256"


def check_storing() -> None:
    """Raise a MissingDependencyError unless nets can be saved."""
    try:
        import safetensors  # noqa: F401
    except ImportError:
        raise MissingDependencyError("safetensors", "learn", "saving nets") from None


def write_arrays(
    path: str | os.PathLike[str],
    kind: str,
    arrays: Mapping[str, NDArray[np.float32]],
    about: Mapping[str, Any],
    *,
    at_once: bool = False,
) -> None:
    """Write arrays and JSON, completely or not at all."""
    check_storing()
    from safetensors.numpy import save

    whole = {"kind": kind, "version": _VERSION, **about}
    stored = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    text = json.dumps({**whole, _CHECKSUM: _digest(whole, stored)})
    packed = save(stored, {_KEY: text})
    with whole_file(path, at_once=at_once) as temporary:
        temporary.write_bytes(packed)


def read_arrays(
    path: str | os.PathLike[str], kind: str
) -> tuple[dict[str, NDArray[np.float32]], dict[str, Any]]:
    """Read what `write_arrays` wrote; any other file is an InputError."""
    check_storing()
    from safetensors import SafetensorError, safe_open

    if not Path(path).is_file():
        raise InputError(f"{path}: no such file")
    try:
        with safe_open(path, framework="numpy") as file:
            about = json.loads((file.metadata() or {}).get(_KEY, "null"))
            arrays = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    except (SafetensorError, OSError, ValueError) as error:
        raise InputError(f"{path}: is not a safetensors file ({error})") from None
    if not isinstance(about, dict) or about.get("kind") != kind:
        raise InputError(f"{path}: is a safetensors file, but not a gradewise {kind}")
    if about.get("version") != _VERSION:
        raise InputError(f"{path}: has format version {about.get('version')}, not {_VERSION}")
    found = about.pop(_CHECKSUM, None)
    if found is None:
        raise InputError(f"{path}: is not a complete {kind}: it has no checksum")
    if found != _digest(about, arrays):
        raise InputError(f"{path}: the file is damaged: it does not match its checksum")
    return arrays, about


def _digest(about: Mapping[str, Any], arrays: Mapping[str, NDArray[np.float32]]) -> str:
    """Return the SHA-256 of arrays and what is known about them."""
    found = hashlib.sha256(json.dumps(about).encode())
    for name in sorted(arrays):
        array = arrays[name]
        found.update(f"{name} {array.dtype} {array.shape}".encode())
        found.update(array.tobytes())
    return found.hexdigest()
