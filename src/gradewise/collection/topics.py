r"""Which topics are meant: by a file, by their ids, by a rule on judgments, or by a pattern.

A text is understood as the first of these that fits: the path of a file with a topic on each line
(or TREC topics, or qrels); ids with commas between them; a rule on the number of judged documents,
such as `R(2) > 0`; a regular expression that is looked for anywhere in an id, such as `^4[0-9]$`.
"""

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from gradewise.arrays import Bools
from gradewise.collection.sources.texts import read_text
from gradewise.errors import InputError, OptionError, counted, did_you_mean
from gradewise.files import is_file, suggest_file

if TYPE_CHECKING:
    from gradewise.collection.judged import Judged

TopicsLike: TypeAlias = str | os.PathLike[str] | Iterable[str]
TopicSets: TypeAlias = Mapping[str, TopicsLike]

_SHOWN = 3  # unknown topics that are named
_LONG = 60  # letters of a choice that are shown
_IS_RULE = re.compile(r"\bRB?\(\s*\d+\s*\)")
# `<num> Number: 401` of TREC's older topics, `<topic number="1">` of newer ones.
_TREC_TOPIC = re.compile(r"""<num>\s*(?:Number:\s*)?([^\s<]+)|<topic\s+number=["']([^"']+)""")


def select_topics(
    topics: Sequence[str], chosen: TopicsLike, *, judged: "Judged | None" = None
) -> Bools:
    """Return which of the topics are chosen.

    Parameters
    ----------
    topics
        The ids of all topics.
    chosen
        A path or the name of a file with topics; ids, as a list or as text with commas; a rule such
        as "R(1) >= 10 * R(2) > 0"; or a regular expression.
    judged
        The judgments, which rules count.

    Examples
    --------
    >>> select_topics(["401", "402", "501"], "^4").tolist()
    [True, True, False]
    >>> select_topics(["401", "402", "501"], ["402", "501"]).tolist()
    [False, True, True]
    """
    if isinstance(chosen, os.PathLike):
        return _by_ids(topics, _read_topics(chosen), str(chosen))
    if not isinstance(chosen, str):
        return _by_ids(topics, [str(each) for each in chosen], "topics")
    if not chosen.strip():
        raise OptionError("topics: no topics were given")
    if is_file(chosen):
        return _by_ids(topics, _read_topics(chosen), chosen)
    parts = [part.strip() for part in chosen.split(",")]
    if not set(topics).isdisjoint(parts):
        return _by_ids(topics, parts, "topics")
    if _IS_RULE.search(chosen):
        return _by_rule(chosen, judged)
    return _by_pattern(topics, chosen)


def describe_choice(chosen: TopicsLike, kept: Bools) -> str:
    """Return the note that says how many topics are kept."""
    text = str(chosen) if isinstance(chosen, (str, os.PathLike)) else ""
    if len(text) > _LONG and not is_file(text):
        text = text[: _LONG - 3] + "..."
    by = f" ({text})" if text else ""
    return f"kept {int(kept.sum())} of {counted(len(kept), 'topic')}{by}"


def _read_topics(path: str | os.PathLike[str]) -> list[str]:
    """Read ids: the first word of each line, or the numbers of TREC topics."""
    text = read_text(path)
    marked = [old or new for old, new in _TREC_TOPIC.findall(text)]
    if marked:
        return marked
    lines = (line.split(maxsplit=1) for line in text.splitlines())
    found = [words[0] for words in lines if words and not words[0].startswith("#")]
    if not found:
        raise InputError(f"{path}: this file contains no topics")
    return found


def _by_ids(topics: Sequence[str], ids: Sequence[str], source: str) -> Bools:
    wanted, known = dict.fromkeys(ids), set(topics)
    unknown = [topic for topic in wanted if topic not in known]
    if unknown:
        shown = " ".join(
            f"there is no topic {topic!r}{did_you_mean(topic, topics)};".replace("?;", "?")
            for topic in unknown[:_SHOWN]
        ).rstrip(";")
        more = f" ({len(unknown)} of {len(wanted)} are unknown)" if len(unknown) > 1 else ""
        raise OptionError(f"{source}: {shown}{more}{_are(topics) if len(unknown) == 1 else ''}")
    if not wanted:
        raise OptionError(f"{source}: no topics were given")
    return np.array([topic in wanted for topic in topics], np.bool_)


def _by_rule(rule: str, judged: "Judged | None") -> Bools:
    from gradewise.collection.topic_rules import choose_topics

    if judged is None:
        raise OptionError(f"the rule {rule!r} counts judged documents, but there are no judgments")
    return choose_topics(judged, rule)


def _by_pattern(topics: Sequence[str], pattern: str) -> Bools:
    try:
        found = re.compile(pattern)
    except re.error as error:
        raise OptionError(
            f"topics {pattern!r}: not a file, and not a regular expression ({error})"
        ) from None
    kept = np.array([found.search(topic) is not None for topic in topics], np.bool_)
    if not kept.any():
        near = did_you_mean(pattern, topics) or suggest_file(pattern)
        raise OptionError(
            f"topics {pattern!r}: there is no such file, and no topic matches{near}{_are(topics)}"
        )
    return kept


def _are(topics: Sequence[str]) -> str:
    """Say what topics there are, in brackets."""
    shown = [*topics] if len(topics) <= 2 * _SHOWN else [*topics[:_SHOWN], "...", topics[-1]]
    return f" (topics are {', '.join(shown)})"
