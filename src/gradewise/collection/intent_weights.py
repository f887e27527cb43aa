"""Weights of intents from files: how many users mean each intent of a topic."""

import os
from typing import IO

from gradewise.collection.entries import gather
from gradewise.collection.sources.layouts import Layout
from gradewise.collection.sources.streams import Stream
from gradewise.collection.sources.text import TextSource
from gradewise.errors import InputError

# NTCIR's Iprob files, and its DINprob files, which have a type of intent in the fourth column.
_WEIGHTS = Layout(3, (0, 1, 2), True, "weight", "3 columns (topic intent weight)")

IntentWeights = dict[str, dict[str, float]]


def read_intent_weights(source: str | os.PathLike[str] | IO[bytes]) -> IntentWeights:
    r"""Read the weights of intents, as NTCIR gives them in its Iprob and DINprob files.

    Parameters
    ----------
    source
        A path to lines of topic, intent and weight, plain or compressed; further columns are
        ignored. "-" for standard input; an open binary file.

    Examples
    --------
    >>> import io
    >>> import gradewise as gw
    >>> gw.read_intent_weights(io.BytesIO(b"0001 1 0.75 nav\n0001 2 0.25 inf\n"))
    {'0001': {'1': 0.75, '2': 0.25}}
    """
    lines = TextSource(Stream(source), grades=True)
    lines.layout = _WEIGHTS
    entries, _ = gather(lines, repeats=True)
    intents, weights = entries.docs.to_list(), entries.numbers.tolist()
    found: IntentWeights = {}
    for topic in entries.topics:
        own, rows = found.setdefault(topic, {}), entries.rows_of(topic)
        for intent, weight in zip(intents[rows], weights[rows], strict=True):
            if intent in own:
                raise InputError(f"{lines.name}: intent {intent} of topic {topic} has two weights")
            own[intent] = weight
    return found
