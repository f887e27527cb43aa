"""What runs are called where nobody names them."""

from dataclasses import dataclass
from typing import Literal

Names = Literal["file", "tag"]


@dataclass(frozen=True)
class NameRule:
    """Where the name of a run comes from."""

    title: str


NAMES: dict[Names, NameRule] = {
    "file": NameRule("the file, without its extension"),
    "tag": NameRule("the tag in the file"),
}
