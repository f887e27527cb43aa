"""Where examples of modules are not run: those whose tool is not installed."""

from importlib.util import find_spec

collect_ignore = []
for _tool in ("lightning", "torchmetrics"):
    if find_spec(_tool) is None:
        collect_ignore.append(f"src/gradewise/plugins/{_tool}.py")
