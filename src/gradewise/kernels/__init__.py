"""Compiled loops over bytes, ranks and tables.

A kernel is one loop, with its formula and shapes in its docstring. It takes arrays that Python
has made, runs without the GIL, and tells what is wrong by a number and a position; sentences are
made above. Nothing here knows of files, topics or measures.
"""
