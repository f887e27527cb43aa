"""Options of commands, by what the commands say they take: any text gets a documented exit code."""

import contextlib
import io
import random
import sys
from functools import cache
from typing import Any, get_args
from unittest.mock import patch

import click
import typer

import gradewise as gw
from fuzz.stored import folder
from gradewise.cli import main
from gradewise.cli.app import app
from gradewise.collection.writing import write_qrels, write_run

COMMANDS = {  # which are quick, with the files that they read
    "eval": 3, "compare": 3, "check": 3, "med": 3, "rbo": -2, "coverage": -2, "fuse": -2,
    "measures": 0, "meta flips": 3, "meta correlation": 3, "meta pool-bias": 3,
    "meta sensitivity": 0,
}  # fmt: skip
# Options that write files, start processes or talk to clusters have tests of their own.
LEFT_OUT = {"output", "figure", "assignment", "keep", "jobs", "engine", "help", "save"}
COUNTS = {"replicates", "draws", "judge_next", "unretrieved"}
FEW = ("0", "1", "3", "-1", "x", "", "2.5", "nan")
NUMBERS = (*FEW, "9" * 25, "1e400", "-inf", "0x10", "1_0", "0.05", "10", "\uff11", "1e3")
WORDS = (
    *("AP", "nDCG@10", "P@5,10", "AP,RR", "GAP(g=[.5,.5])", "@trec", "P@", "nosuch", "run1", "t1"),
    *(
        "",
        " ",
        "-",
        "--",
        "x" * 300,
        "é日本",
        "\x1b[2J",
        "a=b",
        "=",
        "run1=A",
        "1,2",
        "^t",
        "(",
        "*",
    ),
    *("R(2) > 0", "topic,doc,score", "1=L2", "/nonexistent/x", "/", "\ud800", "{0}", "%s", "1:3"),
)


@cache
def _files() -> list[str]:
    made = gw.simulate.collection(topics=3, runs=2, depth=8, relevant=4, pool_depth=4, seed=1)
    write_qrels(made.qrels, folder() / "qrels.txt")
    for name, run in made.runs.items():
        write_run(run, folder() / f"{name}.txt")
    return [str(folder() / name) for name in ("qrels.txt", "run1.txt", "run2.txt")]


@cache
def _parameters(name: str) -> list[click.Parameter]:
    command: Any = typer.main.get_command(app)
    for word in name.split():
        command = command.get_command(click.Context(command), word)
    return [
        each
        for each in command.params
        if each.param_type_name == "option" and each.name not in LEFT_OUT
    ]


def _value(rng: random.Random, option: Any) -> str:
    described = getattr(option, "type_descriptor", None)  # which older versions do not have
    taken = None if described is None else described.annotation
    choices = [each for each in get_args(taken) if isinstance(each, str)]
    if choices and rng.random() < 0.8:
        return rng.choice(choices)
    if option.name in COUNTS:
        return rng.choice(FEW)
    if {int, float} & {taken, *get_args(taken)}:
        return rng.choice(NUMBERS)
    return rng.choice((*WORDS, *NUMBERS, *_files()))


def _arguments(rng: random.Random) -> list[str]:
    name = rng.choice([*COMMANDS])
    number = COMMANDS[name]
    files = _files()[:number] if number >= 0 else _files()[number:]
    if rng.random() < 0.1 and files:
        files[rng.randrange(len(files))] = rng.choice(WORDS)
    given = []
    known = _parameters(name)
    for option in rng.choices(known, k=rng.randrange(4)) if known else ():
        given.append(rng.choice(option.opts))
        if not getattr(option, "is_flag", False):
            given.append(_value(rng, option))
    if rng.random() < 0.05:
        given.append(rng.choice(WORDS))
    return [*name.split(), *files, *given]


def check_options(rng: random.Random) -> str:
    """Run a command; it ends with 0, 1 or 2, and says why if it is not 0."""
    arguments = _arguments(rng)
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace"), io.StringIO()
    code: object = 0
    with (
        patch.object(sys, "argv", ["gradewise", *arguments]),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        except BaseException as error:
            raise AssertionError(f"{arguments}: {error!r}") from error
    assert code in (0, 1, 2), (arguments, code)
    assert "Traceback" not in err.getvalue(), arguments
    out.flush()
    assert code == 0 or err.getvalue().strip() or out.buffer.getvalue(), arguments
    return f"exit {code}"
