"""Groups of commands that are imported when they are called, so that the others cost no time."""

import math
from collections.abc import Mapping
from enum import EnumType
from importlib import import_module
from typing import Any, Literal, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup

from gradewise.cli.help import examples_of, name_values
from gradewise.errors import did_you_mean

_LARGEST = 2**63 - 1


def lazy_group(commands: Mapping[str, tuple[str, str]]) -> type[TyperGroup]:
    """Return a group of commands, given as {name: (module:function, first line of its help)}."""

    class LazyGroup(TyperGroup):
        """Commands by name; help on all of them needs none."""

        def list_commands(self, ctx: Any) -> list[str]:
            return list(commands)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            if cmd_name not in commands:
                return None
            module, _, name = commands[cmd_name][0].partition(":")
            return _command(cmd_name, getattr(import_module(module), name))

        def resolve_command(self, ctx: Any, args: list[str]) -> Any:
            if args and args[0] not in commands and not args[0].startswith("-"):
                near = did_you_mean(args[0], commands)
                ctx.fail(f"No such command {args[0]!r}{near or '.'}")
            return super().resolve_command(ctx, args)

        def get_params(self, ctx: Any) -> list[Any]:
            return _spared(super().get_params(ctx))

        def format_commands(self, ctx: Any, formatter: Any) -> None:
            with formatter.section("Commands"):
                formatter.write_dl([(name, line) for name, (_, line) in commands.items()])

    return LazyGroup


def _command(name: str, target: Any) -> Any:
    """Return a function, or a group of its own, as a command."""
    if isinstance(target, typer.Typer):
        return typer.main.get_command(target)
    alone = typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    alone.command(
        name, cls=_Command, add_help_option=name != "trec-eval", epilog=examples_of(name)
    )(target)
    return typer.main.get_command(alone)


class _Command(TyperCommand):
    """A command that converts only what has to be converted."""

    def get_params(self, ctx: Any) -> list[Any]:
        return _spared(name_values(super().get_params(ctx)))

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        if self.name == "judges":
            args = spread(args, "--runs")
        rest = super().parse_args(ctx, args)
        for parameter in self.params:
            _check_number(ctx.params.get(parameter.name), parameter, ctx)
        return rest


def _check_number(value: Any, parameter: Any, ctx: Any) -> None:
    """Refuse numbers that nothing can be done with: too large, infinite, or none."""
    if isinstance(value, float) and not math.isfinite(value):
        raise typer.BadParameter(f"{value} is not a finite number.", ctx=ctx, param=parameter)
    if isinstance(value, (int, float)) and abs(value) > _LARGEST:
        raise typer.BadParameter(
            f"the number is too large; the largest is {_LARGEST}.", ctx=ctx, param=parameter
        )


def spread(args: list[str], option: str) -> list[str]:
    """Let an option take all words up to the next option: --runs a b is --runs a --runs b.

    Examples
    --------
    >>> spread(["q", "--runs", "a", "b", "-m", "AP"], "--runs")
    ['q', '--runs', 'a', '--runs', 'b', '-m', 'AP']
    """
    found: list[str] = []
    inside = False
    for word in args:
        if word.startswith("-") and word != "-":
            inside = word == option
            found += [] if inside else [word]
        else:
            found += [option, word] if inside else [word]
    return found


def _spared(parameters: list[Any]) -> list[Any]:
    """Let text that is asked for as text, and defaults, pass as they are.

    typer 0.29 hands every value to pydantic, and to import that takes longer than to score a run.
    Older versions do not, and lack what is set here.
    """
    for parameter in parameters:
        if getattr(parameter, "_runtime_param", parameter) is None:
            parameter._runtime_param = _AsGiven()
    return parameters


class _AsGiven:
    """What typer asks to convert values: does so itself where there is nothing to convert."""

    def coerce(self, value: Any, param: Any, ctx: Any) -> Any:
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        wanted = param.type_descriptor.annotation
        if wanted is str and isinstance(value, str):
            return value
        if wanted == list[str] and isinstance(value, (list, tuple)):
            return list(value)
        if isinstance(wanted, EnumType) and value in wanted._value2member_map_:
            return wanted(value)
        if get_origin(wanted) is Literal and value in get_args(wanted):
            return value
        if value is param.default and wanted is type(value):
            return value
        _check_choices(value, wanted, param, ctx)
        param._runtime_param = None
        return param.get_runtime_param().coerce(value, param=param, ctx=ctx)


def _check_choices(value: Any, wanted: Any, param: Any, ctx: Any) -> None:
    """Refuse a word that is not among the choices of an option, and suggest the nearest."""
    of_list = get_origin(wanted) is list
    inner = get_args(wanted)[0] if of_list else wanted
    if get_origin(inner) is Literal:
        known = [str(choice) for choice in get_args(inner)]
    elif isinstance(inner, EnumType):
        known = [str(member.value) for member in list[Any](inner)]
    else:
        return
    for word in value if of_list else [value]:
        if word not in known:
            listed = ", ".join(repr(choice) for choice in known)
            near = did_you_mean(str(word), known)
            raise typer.BadParameter(
                f"{word!r} is not one of {listed}{near or '.'}", ctx=ctx, param=param
            )
