"""Which topics are in a sample: told by a hash of their ids, alike on every engine."""

import hashlib

from gradewise.errors import OptionError

_DIGITS, _ALL = 8, 16**8  # hexadecimal digits of the hash that are looked at


def check_share(share: float) -> None:
    """Raise an OptionError unless a share of topics can be taken."""
    if not 0 < share <= 1:
        raise OptionError(f"share must be above 0 and at most 1, not {share}")


def in_sample(topic: str, share: float, seed: int) -> bool:
    """Tell whether a topic is in a sample.

    Examples
    --------
    >>> 900 < sum(in_sample(str(topic), 0.1, seed=0) for topic in range(10_000)) < 1100
    True
    """
    digest = hashlib.md5(f"{seed}/{topic}".encode(), usedforsecurity=False).hexdigest()
    return int(digest[:_DIGITS], 16) < share * _ALL


def sample_sql(topic: str, share: float, seed: int) -> str:
    """Return the same as a condition of Spark's SQL, for a column."""
    digits = f"substr(md5(concat('{int(seed)}/', {topic})), 1, {_DIGITS})"
    return f"cast(conv({digits}, 16, 10) as double) < {share * _ALL!r}D"
