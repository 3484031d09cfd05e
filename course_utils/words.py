"""Pieces of sentences: numbers with their nouns, lists, sizes."""

from collections.abc import Iterable


def shortened(text: str, limit: int) -> str:
    """`text`, or its beginning and an ellipsis if it is longer than `limit` characters."""
    return text if len(text) <= limit else text[: limit - 1] + "…"


def counted(number: int, one: str, many: str | None = None) -> str:
    """A number with its noun: `1 name`, `2 names`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def listed(words: Iterable[str]) -> str:
    """A list in a sentence: `a`, `a and b`, `a, b and c`."""
    *rest, last = words
    return f"{', '.join(rest)} and {last}" if rest else last


def size_of(count: int) -> str:
    """A number of bytes for people: `24 bytes`, `1.5 KiB`, `64 MiB`."""
    if count < 1024:
        return counted(count, "byte")
    amount, unit = count / 1024, "KiB"
    for larger in ("MiB", "GiB"):
        if amount < 1024:
            break
        amount, unit = amount / 1024, larger
    return f"{amount:.3g} {unit}"
