"""What help shows besides the words of a command: names for values, examples, completion."""

from typing import Any

# What values of options and arguments are called; others by their type or their own name.
_VALUES = {
    "assignment": "FILE",
    "checkpoint": "FOLDER",
    "data": "FILE",
    "directory": "FOLDER",
    "figure": "FILE",
    "folder": "FOLDER",
    "keep": "FOLDER",
    "measure": "MEASURE",
    "measures": "MEASURE",
    "model": "FILE",
    "objective": "MEASURE",
    "output": "FILE",
    "runs": "RUN",
    "test": "FILE",
    "train": "FILE",
    "validation": "FILE",
}
_TYPES = {int: "N", float: "X"}

# A command, as it is typed, for every command.
EXAMPLES = {
    "eval": (
        "gradewise eval qrels.txt bm25.txt neural.txt -m AP -m nDCG@10",
        "gradewise eval qrels.txt bm25.txt -m 'GAP(g=[0.5,0.5])' -q -f csv -o scores.csv",
    ),
    "compare": ("gradewise compare qrels.txt bm25.txt neural.txt -m nDCG@10 --baseline bm25",),
    "report": ("gradewise report qrels.txt bm25.txt neural.txt -o report.html",),
    "measures": ("gradewise measures", "gradewise measures GAP"),
    "demo": ("gradewise demo",),
    "med": (
        "gradewise med qrels.txt bm25.txt neural.txt -m AP@100",
        "gradewise med qrels.txt bm25.txt neural.txt -m nDCG@10 --next 20",
    ),
    "rbo": ("gradewise rbo bm25.txt neural.txt",),
    "train": ("gradewise train train.txt --validation validation.txt -o model.safetensors",),
    "rank": ("gradewise rank model.safetensors test.txt -o run.txt",),
    "crossval": ("gradewise crossval part1.txt part2.txt part3.txt --objective GAP -m nDCG@10",),
    "simulate": ("gradewise simulate collection --topics 50 --runs 10",),
    "simulate-letor": ("gradewise simulate-letor sample",),
    "reproduce": ("gradewise reproduce moffat:table2", "gradewise reproduce --quick"),
    "trec-eval": ("gradewise trec-eval -q -m map qrels.txt bm25.txt",),
    "correlation": ("gradewise meta correlation qrels.txt run*.txt -m AP -m nDCG -m GAP",),
    "incompleteness": ("gradewise meta incompleteness qrels.txt run*.txt -m AP -m Bpref",),
    "pool-bias": ("gradewise meta pool-bias qrels.txt run*.txt -m AP",),
    "discrimination": ("gradewise meta discrimination qrels.txt run*.txt -m AP -m GAP",),
    "informativeness": ("gradewise meta informativeness qrels.txt run*.txt -m nDCG",),
    "sensitivity": ("gradewise meta sensitivity --grades 1,0,2,0 --relevant 1:3,2:1 -m nDCG",),
    "judgment-noise": ("gradewise meta judgment-noise qrels.txt run*.txt -m AP --flip 1:0:0.1",),
}


def name_values(parameters: list[Any]) -> list[Any]:
    """Call values by what they are, not by their types, and complete names of measures."""
    for parameter in parameters:
        if parameter.metavar is None:
            parameter.metavar = _name_of(parameter)
        if parameter.param_type_name == "argument":
            _show_plainly(parameter)
        if _VALUES.get(parameter.name) == "MEASURE":
            parameter._custom_shell_complete = complete_measure
    return parameters


def examples_of(command: str) -> str:
    """Return what help says at its end."""
    lines = "".join(f"  {line}\n" for line in EXAMPLES.get(command, ()))
    return f"\b\nExamples:\n{lines}" if lines else ""


def complete_measure(context: Any, parameter: Any, incomplete: str) -> list[str]:
    """Return the names of measures that begin with what has been typed, in any case."""
    from gradewise.measures.registry import PLACES

    names = sorted(name for measures in PLACES.values() for name in measures)
    return [name for name in names if name.lower().startswith(incomplete.lower())]


def _show_plainly(argument: Any) -> None:
    """Show an argument without its type and without braces, as typer 0.29 adds them."""
    name = argument.metavar + ("..." if argument.nargs != 1 else "")
    argument.display_type_rich = lambda ctx: ""
    argument._usage_display_name = lambda: name if argument.required else f"[{name}]"


def _has_choices(parameter: Any) -> bool:
    described = getattr(parameter, "type_descriptor", None)
    older = hasattr(getattr(parameter, "type", None), "choices")  # before typer 0.29
    return getattr(described, "is_choice", older) or getattr(parameter, "is_flag", False)


def _choices_of(parameter: Any) -> str | None:
    """Return the choices of an option that can be repeated; typer names the others' itself."""
    described: Any = getattr(parameter, "type_descriptor", None)
    if not getattr(described, "is_list", False):
        return None
    return f"<{'|'.join(str(choice.value) for choice in described.choices)}>"


def _name_of(parameter: Any) -> str | None:
    if _has_choices(parameter):
        return _choices_of(parameter)
    if parameter.name in _VALUES:
        return _VALUES[parameter.name]
    wanted = getattr(getattr(parameter, "type_descriptor", None), "annotation", str)
    return _TYPES.get(wanted, str(parameter.name).upper())
