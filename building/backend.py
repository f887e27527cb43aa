"""The build backend: setuptools, with a C compiler from PyPI where the machine has none.

The kernels are compiled. Users of wheels never see this; whoever builds from source without a
compiler gets `ziglang`, a C compiler in a wheel, for the time of the build.
"""

import os
import shlex
import shutil
import sys
import sysconfig
from pathlib import Path

from setuptools import build_meta
from setuptools.build_meta import (
    build_sdist,
    get_requires_for_build_sdist,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]


def _compiler_is_missing():
    """Tell whether the compiler that Python was built with, or that CC names, is not there."""
    if sys.platform == "win32":  # setuptools finds Visual Studio by other means than the PATH
        return False
    command = os.environ.get("CC") or sysconfig.get_config_var("CC") or "cc"
    return shutil.which(shlex.split(command)[0]) is None


def _use_zig():
    """Let setuptools compile and link with `python -m ziglang cc`."""
    compiler = shlex.join([sys.executable, "-m", "ziglang", "cc"])
    link = ["-bundle", "-undefined", "dynamic_lookup"] if sys.platform == "darwin" else ["-shared"]
    os.environ["CC"] = compiler
    os.environ["LDSHARED"] = f"{compiler} {shlex.join(link)}"
    os.environ.setdefault("ZIG_GLOBAL_CACHE_DIR", str(Path("build", "zig").absolute()))
    os.environ["GRADEWISE_ZIG"] = "1"  # setup.py leaves out what zig does not know


def _requirements(requirements):
    return [*requirements, "ziglang>=0.14"] if _compiler_is_missing() else requirements


def get_requires_for_build_wheel(config_settings=None):
    """Return what setuptools wants, and a compiler if there is none."""
    return _requirements(build_meta.get_requires_for_build_wheel(config_settings))


def get_requires_for_build_editable(config_settings=None):
    """Return what setuptools wants, and a compiler if there is none."""
    return _requirements(build_meta.get_requires_for_build_editable(config_settings))


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """Build a wheel."""
    for stale in Path("build").glob("lib*"):  # modules that are gone must not come back
        shutil.rmtree(stale)
    if _compiler_is_missing():
        _use_zig()
    return build_meta.build_wheel(wheel_directory, config_settings, metadata_directory)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    """Build the kernels beside their sources, for an installation that can be edited."""
    if _compiler_is_missing():
        _use_zig()
    return build_meta.build_editable(wheel_directory, config_settings, metadata_directory)
