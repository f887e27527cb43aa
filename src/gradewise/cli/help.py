"""What help shows besides the words of a command: names for values, examples, completion."""

from typing import Any

# What values of options and arguments are called; others by their type or their own name.
_VALUES = {
    "assignment": "FILE",
    "checkpoint": "FILE",
    "data": "FILE",
    "directory": "FOLDER",
    "figure": "FILE",
    "figures": "FOLDER",
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
    "gradewise": (
        "gradewise demo",
        "gradewise eval qrels.txt bm25.txt neural.txt -m AP,nDCG@10",
        "gradewise compare qrels.txt runs/ --baseline bm25",
        "gradewise report qrels.txt runs/ -o report.html",
    ),
    "meta": (
        "gradewise meta correlation qrels.txt run*.txt -m AP,nDCG,GAP",
        "gradewise meta discrimination qrels.txt run*.txt",
    ),
    "eval": (
        "gradewise eval qrels.txt bm25.txt neural.txt -m AP,nDCG@10",
        "gradewise eval qrels.txt bm25.txt -m 'GAP(g=[0.5,0.5])' -q -o scores.csv",
        "gradewise eval qrels.txt runs/ --topics hard=hard.txt --topics easy='^4'",
        "gradewise eval ratings.csv results.csv --columns topic=query,doc=sku,score=sim",
    ),
    "compare": (
        "gradewise compare qrels.txt bm25.txt neural.txt -m nDCG@10 --baseline bm25",
        "gradewise compare qrels.txt runs/ -m AP --figure tiers.svg",
        "gradewise compare scores.csv --caption 'Results.' -o results.tex",
        "gradewise compare qrels.txt old.txt new.txt --attributes topics.csv",
    ),
    "check": (
        "gradewise check qrels.txt old.txt new.txt -m nDCG@10 --fail-if-worse",
        "gradewise check qrels.txt old.txt new.txt --strict --by 0.01 -o check.md",
        "gradewise check old-scores.csv new-scores.csv --fail-if-worse",
    ),
    "report": (
        "gradewise report qrels.txt bm25.txt neural.txt -o report.html",
        "gradewise report qrels.txt runs/ --topics hard=hard.txt --topics all=.",
        "gradewise report scores.parquet --title 'Without judgments'",
        "gradewise report qrels.txt runs/ --attributes topics.csv --history releases/",
    ),
    "history": (
        "gradewise history releases/",
        "gradewise history releases/ -m nDCG@10 --figure history.svg",
    ),
    "measures": ("gradewise measures", "gradewise measures GAP", "gradewise measures @beir"),
    "demo": ("gradewise demo",),
    "judges": (
        "gradewise judges people.txt gpt4=model.txt",
        "gradewise judges people.txt gpt4=model.txt --runs a.txt b.txt --show effect",
        "gradewise judges people.txt model.txt --runs runs -m AP --next 50 -o list.txt",
    ),
    "judge-page": ("gradewise judge-page list.txt --queries topics.tsv --docs docs.jsonl",),
    "med": (
        "gradewise med qrels.txt bm25.txt neural.txt -m AP@100",
        "gradewise med qrels.txt bm25.txt neural.txt -m nDCG@10 --next 20",
    ),
    "rbo": ("gradewise rbo bm25.txt neural.txt",),
    "coverage": ("gradewise coverage bm25.txt neural.txt -k 10 --catalog 50000",),
    "fuse": (
        "gradewise fuse bm25.txt neural.txt -o fused.txt",
        "gradewise fuse bm25.txt neural.txt --method w_sum --weights 1,2 -o fused.txt",
        "gradewise fuse a.txt b.txt --method w_sum --tune qrels.txt -m AP -o fused.txt",
    ),
    "click-model": (
        "gradewise click-model clicks.csv --model browsing",
        "gradewise click-model clicks.parquet --qrels grades.txt --grades 0.1,0.4",
    ),
    "thresholds": (
        "gradewise thresholds qrels.txt clicks.csv",
        "gradewise thresholds qrels.txt clicks.csv --users cascade -o thresholds.csv",
    ),
    "propensities": ("gradewise propensities clicks.csv --method random",),
    "counterfactual": (
        "gradewise counterfactual clicks.csv bm25.txt neural.txt -m DCG@10,P@5",
        "gradewise counterfactual clicks.csv a.txt b.txt --method ips --pairs",
    ),
    "interleave": ("gradewise interleave bm25.txt neural.txt --draws 100 -o lists.csv",),
    "compare-teams": ("gradewise compare-teams clicks.csv",),
    "train": (
        "gradewise train train.txt -v validation.txt -a softrank --objective GAP -m P@10",
        "gradewise train train.txt --booster lightgbm --booster-option num_leaves=15",
    ),
    "rank": ("gradewise rank model.safetensors test.txt -o run.txt --qrels qrels.txt",),
    "crossval": (
        "gradewise crossval S1.txt S2.txt S3.txt --objective AP --objective GAP -m P@10",
        "gradewise crossval data.txt -a lambdarank -a lightgbm --jobs 4 --keep results",
    ),
    "simulate": ("gradewise simulate collection --topics 50 --runs 10",),
    "simulate-runs": ("gradewise simulate-runs qrels.txt simulated --runs 30",),
    "simulate-judges": ("gradewise simulate-judges qrels.txt judges --judges 3",),
    "simulate-clicks": (
        "gradewise simulate-clicks qrels.txt run.txt clicks.csv --sessions 10000",
        "gradewise simulate-clicks qrels.txt run.txt clicks.csv -g 0.7,0.3",
    ),
    "simulate-letor": ("gradewise simulate-letor sample --topics 40 --features 20",),
    "reproduce": ("gradewise reproduce kishida:table3", "gradewise reproduce --quick"),
    "trec-eval": ("gradewise trec-eval -q -m map qrels.txt bm25.txt",),
    "ir-measures": ("gradewise ir-measures qrels.txt bm25.txt 'GAP(g=[0.5,0.5])' nDCG@10",),
    "correlation": ("gradewise meta correlation qrels.txt run*.txt -m AP -m nDCG -m GAP",),
    "incompleteness": ("gradewise meta incompleteness qrels.txt run*.txt -m AP -m Bpref",),
    "pool-bias": ("gradewise meta pool-bias qrels.txt run*.txt -m AP",),
    "discrimination": ("gradewise meta discrimination qrels.txt run*.txt -m AP -m GAP",),
    "prediction": ("gradewise meta prediction qrels.txt run*.txt -m AP -m P@10",),
    "informativeness": ("gradewise meta informativeness qrels.txt run*.txt -m nDCG",),
    "sensitivity": ("gradewise meta sensitivity --grades 1,0,2,0 --relevant 1:3,2:1 -m nDCG",),
    "flips": ("gradewise meta flips qrels.txt run*.txt -m AP -m P@10",),
    "experiment": ("gradewise meta experiment --grades 1,0,2,0 --relevant 1:3,2:1 -m GAP",),
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
    """Return the names of measures and presets that begin with what has been typed, in any case."""
    from gradewise.measures.presets import MARK, PRESETS
    from gradewise.measures.registry import PLACES

    names = sorted(name for measures in PLACES.values() for name in measures)
    names += [MARK + name for name in PRESETS]
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
    wanted = getattr(getattr(parameter, "type_descriptor", None), "annotation", str)
    name = str(parameter.name)
    return _TYPES.get(wanted) or _VALUES.get(name, name.upper())
