"""An MkDocs hook: figures of pages are made by the commands that the pages show.

A page that shows `gradewise ... --figure NAME.svg` in a console block, or `--figures FOLDER` where
NAME.svg is written, can hold the image `figures/NAME.svg`. The page's commands are run in a folder
of their own when the site is built.
"""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

_BLOCK = re.compile(r"^```console\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_COMMAND = re.compile(r"^\$ (gradewise (?:.*\\\n)*.*)$", re.MULTILINE)
_FIGURE = re.compile(r"--figures? \S+")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the figures of all pages."""
    for page in sorted(Path(config.docs_dir).rglob("*.md")):
        for name, content in draw(page.read_text(encoding="utf-8")).items():
            files.append(File.generated(config, f"figures/{name}", content=content))
    return files


def draw(page: str) -> dict[str, str]:
    """Run the commands of a page that has figures; return these by name."""
    commands = [command for block in _BLOCK.findall(page) for command in _COMMAND.findall(block)]
    if not any(map(_FIGURE.search, commands)):
        return {}
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    # Figures are those of a machine without real collections, wherever the site is built.
    environment = {name: kept for name, kept in os.environ.items() if name != "GRADEWISE_DATA"}
    with tempfile.TemporaryDirectory() as folder:
        for command in commands:
            if command.startswith("gradewise simulate") or _FIGURE.search(command):
                subprocess.run(
                    command,
                    shell=True,
                    cwd=folder,
                    env={**environment, "PATH": path},
                    stdout=subprocess.DEVNULL,
                    check=True,
                )
        drawn = Path(folder).rglob("*.svg")
        return {path.name: path.read_text(encoding="utf-8") for path in drawn}
