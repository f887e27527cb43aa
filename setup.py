"""The compiled kernels; everything else about the package is in pyproject.toml.

GRADEWISE_KERNELS chooses how they are built:
    (nothing)   optimized, one build for Python 3.11 and all later versions (abi3)
    check       with Cython's bounds checks
    sanitize    with bounds checks, AddressSanitizer and UndefinedBehaviorSanitizer
"""

import os
import sys
import sysconfig
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

KIND = os.environ.get("GRADEWISE_KERNELS", "")
if KIND not in ("", "check", "sanitize"):
    raise SystemExit(f"GRADEWISE_KERNELS must be empty, check or sanitize, not {KIND!r}")
CHECKED = KIND != ""
ABI3 = not CHECKED and not sysconfig.get_config_var("Py_GIL_DISABLED")
ROOM = "gradewise.kernels"
SHARED = f"{ROOM}._memoryviews"  # Cython's own code for memoryviews, compiled once for all kernels


def compiler_flags():
    """Return flags for the compiler and the linker."""
    if sys.platform == "win32":
        return (["/O2"], [])
    if KIND == "sanitize":
        sanitizers = "-fsanitize=address,undefined"
        flags = ["-O1", "-g", "-fno-omit-frame-pointer", "-fno-sanitize-recover=undefined"]
        return ([*flags, sanitizers], [sanitizers])
    # Without contraction, a*b+c is rounded alike on machines with and without such an instruction.
    flags = ["-O3", "-g0", "-ffp-contract=off"]
    if os.environ.get("GRADEWISE_ZIG"):
        return ([*flags, "-fno-sanitize=undefined"], [])
    return (flags, [])


def extension(name, source):
    """Describe one kernel."""
    compile_flags, link_flags = compiler_flags()
    return Extension(
        name,
        [source],
        extra_compile_args=compile_flags,
        extra_link_args=link_flags,
        define_macros=[("Py_LIMITED_API", "0x030B0000")] if ABI3 else [],
        py_limited_api=ABI3,
    )


sources = sorted(Path("src", *ROOM.split(".")).glob("*.pyx"))
kernels = [extension(f"{ROOM}.{path.stem}", path.as_posix()) for path in sources]
setup(
    ext_modules=cythonize(
        [extension(SHARED, "src/gradewise/kernels/_memoryviews.c"), *kernels],
        build_dir="build/cython",
        shared_utility_qualified_name=SHARED,
        compiler_directives={
            "language_level": 3,
            "boundscheck": CHECKED,
            "wraparound": False,
            "initializedcheck": CHECKED,
            "cdivision": True,
            "embedsignature": True,
            "freethreading_compatible": True,
            "show_performance_hints": not CHECKED,
        },
    ),
    options={
        "bdist_wheel": {"py_limited_api": "cp311"} if ABI3 else {},
        "build_ext": {"parallel": os.cpu_count() or 1},
    },
)
