"""Model files that can be trusted: ours by their checksum, others after a trial elsewhere.

LightGBM and XGBoost end the process, or never return, on some damaged files. A file that `save`
wrote holds its own SHA-256. Any other is first read in a process of its own, which may die.
"""

import contextlib
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator

from gradewise.errors import InputError, OptionError

CHECKSUM = "sha256"
_BLANK = "0" * 64  # what stands for the checksum while it is computed
_FOUND = re.compile(rb'(\\?"sha256\\?": \\?")([0-9a-f]{64})(?=\\?")')
_REFUSALS = ("LightGBMError", "XGBoostError")  # classes of libraries that may not be installed
_SECONDS = 60
_TRIAL = """\
import json, sys
sys.path[:] = json.loads(sys.argv[1])
from gradewise.learn.trees.boosters import booster_of
import numpy as np
library = booster_of(sys.argv[2])
model, about = library.parse(sys.stdin.buffer.read())
library.predict(model, np.zeros((2, library.width(model))), None)
"""


def blank_checksum() -> dict[str, str]:
    """Return what a model has to hold so that `seal` finds it."""
    return {CHECKSUM: _BLANK}


def seal(content: bytes) -> bytes:
    """Return a model's file with its checksum in place of the blank one."""
    digest = hashlib.sha256(content).hexdigest().encode()
    return _FOUND.sub(lambda found: found[1] + digest, content, count=1)


def check_model(content: bytes, booster: str) -> None:
    """Raise an InputError unless a model's file is whole, or can be read without harm."""
    found = _FOUND.search(content)
    if found is None:
        _try_elsewhere(content, booster)
        return
    blank = content[: found.start(2)] + _BLANK.encode() + content[found.end(2) :]
    if hashlib.sha256(blank).hexdigest().encode() != found[2]:
        raise InputError("the file is damaged: it does not match its checksum")


@contextlib.contextmanager
def refusals_explained(title: str) -> Iterator[None]:
    """Turn what a library says of its parameters into one sentence."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ not in _REFUSALS:
            raise
        lines = [line.strip() for line in str(error).splitlines()]
        said = next(
            (line for line in lines if line and not line.startswith("[")), "no reason given"
        )
        raise OptionError(f"{title} refuses to train: {said}") from None


def _try_elsewhere(content: bytes, booster: str) -> None:
    command = [sys.executable, "-c", _TRIAL, json.dumps(sys.path), booster]
    try:
        done = subprocess.run(
            command, input=content, capture_output=True, timeout=_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        raise InputError(f"the file is damaged: {booster} does not finish reading it") from None
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip().splitlines()
        reason = said[-1].rpartition("Error: ")[2] if said and done.returncode > 0 else "it crashed"
        raise InputError(f"{booster} cannot read the file ({reason[:200]})")
