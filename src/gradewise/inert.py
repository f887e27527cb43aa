"""Text of others, such as names, made harmless for those who read it."""

import os
import re

# What commands terminals, splits lines, turns the direction of text or is no text: control and
# format characters, line and paragraph separators, surrogates, tags. The two joiners that Persian,
# Indic scripts and emoji need are left.
_UNSEEN = re.compile(
    "[\\x00-\\x1f\\x7f-\\x9f\\xad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f"
    "\\ud800-\\udfff\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff\\U000e0000-\\U000e007f]"
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")  # what makes a spreadsheet compute a cell


def printable(text: str) -> str:
    r"""Return a text with control characters and their like written out, as Python would.

    Examples
    --------
    >>> printable("bm25\x1b[2J\n") == r"bm25\x1b[2J\n", printable("日本語 é")
    (True, '日本語 é')
    """
    return _UNSEEN.sub(lambda found: repr(found[0])[1:-1], text)


def csv_cell(text: str) -> str:
    """Return a text as a cell of CSV; with GRADEWISE_GUARD_CSV, no spreadsheet computes it.

    Examples
    --------
    >>> csv_cell("=1+1")
    '=1+1'
    """
    guarded = bool(os.environ.get("GRADEWISE_GUARD_CSV")) and text[:1] in _FORMULA
    return printable(f"'{text}" if guarded and text else text)


def pictured(text: str) -> str:
    r"""Return a text with pictures of control characters; for what gives backslashes a meaning.

    Examples
    --------
    >>> pictured("bm25\x1b\n\u202e")
    'bm25␛␊�'
    """
    return _UNSEEN.sub(_picture, text)


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    return "\u2421" if code == 0x7F else "\ufffd"
