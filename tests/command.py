"""Commands of gradewise, run in the process of the tests."""

import contextlib
import io
import sys
from collections.abc import Callable
from typing import NamedTuple

import pytest

from gradewise.cli import main


class Done(NamedTuple):
    """What a command left behind."""

    code: int
    out: str
    err: str


Call = Callable[..., Done]


def caller(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Return a function that runs gradewise; what is not meant to be raised comes through."""

    def called(*arguments: object) -> Done:
        monkeypatch.setattr(sys, "argv", ["gradewise", *map(str, arguments)])
        out, err = io.TextIOWrapper(io.BytesIO(), "utf-8"), io.StringIO()
        code: object = 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                main()
            except SystemExit as ended:
                code = ended.code
        out.flush()
        return Done(int(str(code or 0)), out.buffer.getvalue().decode(), err.getvalue())

    return called
