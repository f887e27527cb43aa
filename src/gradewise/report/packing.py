"""Numbers and text in the form in which a page carries them."""

import base64
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

_KINDS = {np.dtype("<f4"): "f4", np.dtype("<f8"): "f8", np.dtype("<i4"): "i4", np.dtype("u1"): "u1"}
# What could end a script element or a line of JavaScript, written so that it cannot.
_ESCAPES = {"<": "\\u003c", ">": "\\u003e", "&": "\\u0026"}


def pack(array: Any, kind: str) -> dict[str, Any]:
    """Return an array as {kind, shape, data}: little-endian bytes in base 64.

    Kinds are "f4" (7 digits), "f8", "i4" and "u1".

    Examples
    --------
    >>> pack([1, 2], "u1")
    {'kind': 'u1', 'shape': [2], 'data': 'AQI='}
    """
    stored: NDArray[Any] = np.ascontiguousarray(array, np.dtype(kind).newbyteorder("<"))
    return {
        "kind": _KINDS[stored.dtype],
        "shape": list(stored.shape),
        "data": base64.b64encode(stored.tobytes()).decode("ascii"),
    }


def pack_bits(flags: Any) -> dict[str, Any]:
    """Return yes and no as bits, the first in the highest bit of the first byte."""
    return pack(np.packbits(np.asarray(flags, np.bool_).ravel()), "u1")


def script_json(content: Any) -> str:
    r"""Return JSON that is safe inside a script element, whatever its strings hold.

    Examples
    --------
    >>> script_json({"run": "</script>"})
    '{"run":"\\u003c/script\\u003e"}'
    """
    text = json.dumps(content, allow_nan=False, separators=(",", ":"))  # ASCII only
    for char, escape in _ESCAPES.items():
        text = text.replace(char, escape)
    return text
