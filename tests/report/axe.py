"""axe-core for tests of pages, or a reason why there is none. It is not part of the project."""

import os
import shutil
import subprocess
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import pytest

VERSION = "4.10.3"


@cache
def axe_script() -> str:
    """Return the script of axe-core: from the file named by AXE, or from npm; else skip."""
    given = os.environ.get("AXE")
    if given:
        return Path(given).read_text("utf-8")
    if shutil.which("npm") is None:
        pytest.skip("there is no npm here to get axe-core with; or set AXE to the path of axe.js")
    with tempfile.TemporaryDirectory() as folder:
        command = ["npm", "pack", f"axe-core@{VERSION}", "--silent", "--pack-destination", folder]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=60, cwd=folder)
        except (subprocess.SubprocessError, OSError):
            pytest.skip("npm cannot get axe-core here; or set AXE to the path of axe.js")
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as archive:
            member = archive.extractfile("package/axe.min.js")
            assert member is not None
            return member.read().decode("utf-8")


def violations(page: Any) -> list[str]:
    """Return what axe-core finds on a page.

    The page's policy blocks foreign scripts, so the script is evaluated by the driver.
    """
    page.evaluate(axe_script() + "\n;undefined")
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [
        f"{each['id']}: {node['target']} {node['any'][:1] and node['any'][0]['message']}"
        for each in found["violations"]
        for node in each["nodes"][:5]
    ]
