"""An MkDocs hook: sections of a report that pages show in frames, made when the site is built."""

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

SECTIONS = ("explorer", "topic")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add a page for each section."""
    for name, content in sections().items():
        files.append(File.generated(config, f"embedded/{name}.html", content=content))
    return files


def sections() -> dict[str, str]:
    """Return the sections of a report on a small sample as pages."""
    import gradewise as gw

    sample = gw.simulate.collection(
        topics=25, runs=12, depth=100, grades=3, relevant=15, pool_depth=8, seed=28
    )
    report = gw.report.make_report(sample.qrels, sample.runs, ["AP", "nDCG@10", "GAP"])
    return {name: report.section(name).html for name in SECTIONS}
