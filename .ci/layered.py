"""What .ci/tools and .ci/scale share: an environment on top of the current one, and tests in it."""

import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Mapping
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"][
    "optional-dependencies"
]


def required(extra: str) -> list[str]:
    """Return what an extra stands for, with the extras that it names."""
    found = []
    for requirement in EXTRAS[extra]:
        named = re.fullmatch(r"gradewise\[([\w,]+)\]", requirement)
        found += (
            [one for other in named[1].split(",") for one in required(other)]
            if named
            else [requirement]
        )
    return found


def layered(folder: Path) -> Path:
    """Make an environment that also has what the current one has; return its Python."""
    venv.create(folder, with_pip=True)
    python = folder / "bin" / "python"
    code = "import sysconfig; print(sysconfig.get_paths()['purelib'])"
    place = subprocess.check_output([python, "-c", code], text=True).strip()
    below = sysconfig.get_paths()["purelib"]
    line = f"import site; site.addsitedir({below!r})\n"
    Path(place, "below.pth").write_text(line, encoding="utf-8")
    return python


def install(python: Path, extra: str, *constraints: Path) -> None:
    """Install an extra in an environment, with the versions that were tested."""
    files = [part for path in (ROOT / "constraints.txt", *constraints) for part in ("-c", path)]
    pip_install(python, *files, *required(extra))


def pip_install(python: Path, *arguments: str | Path) -> None:
    """Install packages in an environment."""
    command = [python, "-m", "pip", "install", "-q", "--disable-pip-version-check", *arguments]
    subprocess.run(list(map(str, command)), check=True)


def run_tests(
    name: str, python: Path, report: Path, *arguments: str, more: Mapping[str, str] | None = None
) -> list[str]:
    """Run tests; return and print why some were skipped, and end if one failed."""
    environment = {
        **os.environ,
        "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}",
        **(more or {}),
    }
    command = [python, "-m", "pytest", "-q", f"--junitxml={report}", *arguments]
    done = subprocess.run(list(map(str, command)), cwd=ROOT, env=environment, check=False)
    if done.returncode:
        sys.exit(f"{name}: pytest failed with exit code {done.returncode}")
    skipped = ElementTree.parse(report).getroot().iter("skipped")
    told = [each.get("message", "") for each in skipped]
    for message in told:
        print(f"{name}: skipped: {message}")
    return told
