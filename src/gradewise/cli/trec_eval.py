"""gradewise trec-eval: trec_eval's options, trec_eval's output."""

import getopt
import sys
from dataclasses import dataclass, field

from gradewise.errors import GradewiseError, InputError

_SHORT = "hvqm:cl:nD:JN:M:R:T:Z:o"
_LONG = {
    "help": "-h",
    "version": "-v",
    "query_eval_wanted": "-q",
    "measure=": "-m",
    "complete_rel_info_wanted": "-c",
    "level_for_rel=": "-l",
    "nosummary": "-n",
    "Debug_level=": "-D",
    "Judged_docs_only": "-J",
    "Number_docs_in_coll=": "-N",
    "Max_retrieved_per_topic=": "-M",
    "Rel_info_format=": "-R",
    "Results_format=": "-T",
    "Zscore=": "-Z",
    "Output_old_results_format": "-o",
}
_NOT_DONE = {"-Z": "z-scores are", "-D": "debugging output is"}
USAGE = (
    "usage: gradewise trec-eval [-h] [-q] [-m measure[.params]] [-c] [-n] [-l LEVEL] [-M DEPTH] "
    "[-J] [-N SIZE] QRELS RUN"
)


@dataclass
class Options:
    """What the command line asks for."""

    measures: list[str] = field(default_factory=list)
    per_topic: bool = False
    summary: bool = True
    complete: bool = False
    judged_only: bool = False
    level: int = 1
    depth: int | None = None
    collection_size: int = 0
    help: bool = False
    version: bool = False
    files: list[str] = field(default_factory=list)


class UsageError(GradewiseError):
    """The command line cannot be understood."""


def run(arguments: list[str]) -> int:
    """Run the command; return trec_eval's exit codes.

    1 is for the command line, 2 for files and parameters of measures, 4 for missing topics.
    """
    from gradewise.measures.trec_eval import TrecParameterError
    from gradewise.report.trec_eval import MissingTopicError

    try:
        _print(parse(arguments))
    except GradewiseError as error:
        usage = f"\n{USAGE}" if isinstance(error, UsageError) else ""
        print(f"gradewise trec-eval: {error}{usage}", file=sys.stderr)
        codes = {InputError: 2, TrecParameterError: 2, MissingTopicError: 4}
        return codes.get(type(error), 1)
    return 0


def described() -> None:
    """Print what trec_eval 10 prints, for the same options and files."""


def _print(options: Options) -> None:
    from gradewise import __version__
    from gradewise.report.trec_eval import trec_help, trec_output

    if options.version:
        print(f"gradewise {__version__}, as trec_eval version 10.0", file=sys.stderr)
        return
    if options.help:
        sys.stdout.write(trec_help(USAGE, options.measures))
        return
    if len(options.files) != 2:
        raise UsageError(f"expected two files, QRELS and RUN, not {len(options.files)}")
    text = trec_output(
        *options.files,
        measures=options.measures,
        per_topic=options.per_topic,
        summary=options.summary,
        complete=options.complete,
        judged_only=options.judged_only,
        level=options.level,
        depth=options.depth,
        collection_size=options.collection_size,
    )
    sys.stdout.write(text)
    sys.stdout.flush()


def parse(arguments: list[str]) -> Options:
    """Read options as trec_eval does: in any place, clustered, long names abbreviated."""
    try:
        pairs, files = getopt.gnu_getopt(arguments, _SHORT, list(_LONG))
    except getopt.GetoptError as error:
        raise UsageError(error.msg) from None
    options = Options(files=files)
    short = {f"--{name.rstrip('=')}": letter for name, letter in _LONG.items()}
    for given, value in pairs:
        name = short.get(given, given)
        if name in _NOT_DONE:
            raise UsageError(f"{_NOT_DONE[name]} not available ({name})")
        _set(options, name, value)
    return options


def _set(options: Options, name: str, value: str) -> None:
    flags = {
        "-q": ("per_topic", True),
        "-n": ("summary", False),
        "-c": ("complete", True),
        "-J": ("judged_only", True),
        "-h": ("help", True),
        "-v": ("version", True),
    }
    numbers = {"-l": "level", "-M": "depth", "-N": "collection_size"}
    if name in flags:
        setattr(options, *flags[name])
    elif name in numbers:
        try:
            setattr(options, numbers[name], int(value))
        except ValueError:
            raise UsageError(f"{name} needs a whole number, not {value!r}") from None
    elif name == "-m":
        options.measures.append(value)
    elif name == "-R" and value != "qrels":
        raise UsageError(f"the format {value!r} (-R) is not available, only qrels")
    elif name == "-T" and value != "trec_results":
        raise UsageError(f"the format {value!r} (-T) is not available, only trec_results")
