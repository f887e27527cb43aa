"""gradewise reproduce: tables and figures of papers, ours next to theirs."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from gradewise.cli.options import Jobs, Quiet, Seed

if TYPE_CHECKING:
    from gradewise.reproduce.result import Section

PAPERS = ("kishida", "ferrante", "robertson", "yilmaz", "moffat")


def reproduce(
    paper: Annotated[
        str | None,
        typer.Argument(
            help=f"{', '.join(PAPERS)}; or one part, such as kishida:table3. Default: all."
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(help="Folder of real collections; default: GRADEWISE_DATA."),
    ] = None,
    figures: Annotated[
        str | None, typer.Option(help="Also save figures as SVG files in this folder.")
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Use fewer runs and samples.")] = False,
    keep: Annotated[
        str | None, typer.Option(help="Folder for partial results; resumes interrupted work.")
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = 1,
    quiet: Quiet = False,
) -> None:
    """Reproduce tables and figures of the papers, next to the published numbers.

    The exit code is 1 if a number that should match does not, or if a property that must hold on
    any collection does not. Results of simulations and claims about other collections are only
    reported.

    Example: gradewise reproduce kishida:table3
    """
    from gradewise.errors import OptionError, did_you_mean

    name, _, part = (paper or "").partition(":")
    if paper is not None and name not in PAPERS:
        raise OptionError(f"there is no paper {name!r}{did_you_mean(name, PAPERS)}")
    failures: list[str] = []
    for chosen in [name] if name else PAPERS:
        found = _sections(chosen, part, data, quick, seed, jobs, keep, quiet)
        for place, section in enumerate(found, 1):
            _show(section)
            failures += section.failures
            if figures is not None and section.chart is not None:
                _draw(section, f"{figures}/{chosen}-{section.name}-{place}.svg")
    if failures:
        typer.echo("These do not match the papers:\n  " + "\n  ".join(failures), err=True)
        raise typer.Exit(1)


def _sections(
    name: str,
    part: str,
    data: str | None,
    quick: bool,
    seed: int,
    jobs: int,
    keep: str | None,
    quiet: bool,
) -> "list[Section]":
    from gradewise.cli.watching import note, progress_bar
    from gradewise.errors import OptionError
    from gradewise.reproduce import ferrante, kishida, moffat, robertson, yilmaz
    from gradewise.reproduce.collections import data_folder, is_named

    papers = (kishida, ferrante, robertson, yilmaz, moffat)
    parts = dict(zip(PAPERS, papers, strict=True))[name].PARTS
    if part and part not in parts:
        raise OptionError(f"{name} has no part {part!r}; choose from {', '.join(parts)}")
    wanted = [part] if part else list(parts)
    if name == "kishida":
        return [section for section in kishida.sections(seed=seed) if section.name in wanted]
    if name == "moffat":
        found = moffat.tables(wanted)
        needs_data = any(part in moffat.FIGURES for part in wanted)
        return found + (moffat.figures(data_folder(data), wanted) if needs_data else [])
    simulated = name == "yilmaz" and part in yilmaz.TRAINED and not is_named(data)
    folder = None if simulated else data_folder(data)
    with progress_bar("lists, samples, epochs", None, quiet=quiet) as advance:
        options: dict[str, Any] = {"quick": quick, "seed": seed, "progress": advance}
        if name == "ferrante" and folder is not None:
            return ferrante.sections(folder, wanted, **options)
        options |= {"jobs": jobs, "keep": keep}
        if folder is None:
            note(
                "using simulated topics only; give --data FOLDER to use real collections too",
                quiet=quiet,
            )
            return yilmaz.sections(None, wanted, **options)
        paper = {"robertson": robertson, "yilmaz": yilmaz}[name]
        return paper.sections(folder, wanted, **options)


def _show(section: "Section") -> None:
    typer.echo(f"{section.title}\n\n{section.table.to_text()}")
    for claim in section.properties:
        typer.echo(str(claim))
    if section.properties:
        typer.echo("")


def _draw(section: "Section", path: str) -> None:
    from pathlib import Path

    from gradewise.files import make_folder
    from gradewise.report.figures.theme import save_figure

    assert section.chart is not None
    make_folder(Path(path).parent)
    save_figure(section.chart(), path)
