"""gradewise reproduce: tables and figures of papers, ours next to theirs."""

from typing import TYPE_CHECKING, Annotated

import typer

from gradewise.cli import options as opt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from gradewise.reproduce.items import Item
    from gradewise.reproduce.result import Section


def reproduce(
    paper: Annotated[
        str | None,
        typer.Argument(
            metavar="PAPER[:PART]",
            help="kishida, robertson, yilmaz, ferrante or moffat; or one part of it, "
            "such as kishida:table3. Default: all.",
        ),
    ] = None,
    list_items: Annotated[
        bool,
        typer.Option("--list", help="Print the index: item, data, assumption, verdict."),
    ] = False,
    data: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER", help="Folder of real collections. Default: $GRADEWISE_DATA."
        ),
    ] = None,
    figures: Annotated[
        str | None, typer.Option(help="Also save figures to this folder, as SVG.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Use fewer runs and samples.")] = False,
    keep: Annotated[
        str | None,
        typer.Option(help="Folder for partial results; interrupted work resumes from it."),
    ] = None,
    seed: opt.Seed = 0,
    jobs: opt.Jobs = 1,
    quiet: opt.Quiet = False,
) -> None:
    """Reproduce tables and figures from papers, next to the published numbers.

    The exit code is 1 if a number that must match to the last printed digit does not, or if a
    theorem does not hold. Other claims are reported as holding or not. Without a folder of real
    collections, only parts that need none are run.
    """
    from gradewise.reproduce.items import PAPERS, index, items_of

    name, _, part = (paper or "").partition(":")
    wanted = items_of(name, part)
    if list_items:
        typer.echo(index(wanted).to_text())
        return
    folder = _find_data(wanted, data, quiet)
    runnable = [item for item in wanted if folder is not None or not item.needs_data]
    failures: list[str] = []
    for chosen in PAPERS:
        parts = [item.part for item in runnable if item.paper == chosen]
        if not parts:
            continue
        found = _sections(chosen, parts, folder, quick, seed, jobs, keep, quiet)
        for place, section in enumerate(found, 1):
            _show(section)
            failures += section.failures
            if figures is not None and section.chart is not None:
                _draw(section, f"{figures}/{chosen}-{section.name}-{place}.svg")
        _conclude(chosen, parts, found)
    if failures:
        typer.echo("These do not agree with the papers:\n  " + "\n  ".join(failures), err=True)
        raise typer.Exit(1)


def _find_data(wanted: "Sequence[Item]", data: str | None, quiet: bool) -> "Path | None":
    """Return the folder of real collections, or None after a note on what is skipped.

    One part that needs data cannot be skipped: nothing would remain.
    """
    from gradewise.cli.watching import note
    from gradewise.reproduce.collections import FILES, VARIABLE, data_folder, is_named

    if is_named(data) or [item.needs_data for item in wanted] == [True]:
        return data_folder(data)
    left_out = [item.name for item in wanted if item.needs_data]
    if left_out:
        note(
            f"skipped, because they need real collections: {', '.join(left_out)}; give --data "
            f"FOLDER or set {VARIABLE} to a folder with\n{FILES}",
            quiet=quiet,
        )
    return None


def _sections(
    paper: str,
    parts: "Sequence[str]",
    folder: "Path | None",
    quick: bool,
    seed: int,
    jobs: int,
    keep: str | None,
    quiet: bool,
) -> "list[Section]":
    from importlib import import_module

    from gradewise.cli.watching import progress_bar

    module = import_module(f"gradewise.reproduce.{paper}")
    with progress_bar("lists, samples, epochs", None, quiet=quiet) as advance:
        found: list[Section] = module.sections(
            folder, parts, quick=quick, seed=seed, jobs=jobs, keep=keep, progress=advance
        )
    return found


def _show(section: "Section") -> None:
    typer.echo(f"{section.title}\n\n{section.table.to_text()}")
    lines = [*section.stated, *section.properties]
    if lines:
        typer.echo("\n".join(map(str, lines)) + "\n")


def _conclude(paper: str, parts: "Sequence[str]", sections: "Sequence[Section]") -> None:
    """Print the verdict on each part."""
    from gradewise.reproduce.items import summarize

    for part in parts:
        found = [section for section in sections if section.name == part]
        if found:
            typer.echo(f"{paper}:{part} {summarize(found)}")
    typer.echo("")


def _draw(section: "Section", path: str) -> None:
    from pathlib import Path

    from gradewise.files import make_folder
    from gradewise.report.figures.theme import save_figure

    assert section.chart is not None
    make_folder(Path(path).parent)
    save_figure(section.chart(), path)
