"""The known name that is most like a misspelt one; no name if none is like it."""

from collections.abc import Iterable
from difflib import get_close_matches

_FEW = 15  # names that fit into a sentence
_WHOLE, _PART = 0.75, 0.6  # least similarity of two names, and of two parts of names


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like `name`, or None.

    In names with a dot, the part after it is compared: the exercises of a topic share the topic.
    """
    names = list(known)
    topic, dot, short = name.lower().partition(".")
    here = {each.partition(".")[2]: each for each in names if each.startswith(f"{topic}.")}
    if dot and here:
        close = get_close_matches(short, here, n=1, cutoff=_PART)
        return here[close[0]] if close else None
    ends = [each for each in names if each.endswith(f".{name.lower()}")]
    close = ends or get_close_matches(name.lower(), names, n=1, cutoff=_WHOLE)
    return close[0] if close else None


def suggestion(name: str, known: Iterable[str], listed_by: str = "") -> str:
    """The second half of a sentence that begins with "there is no `name`".

    listed_by: a command that lists all names, if they are too many for a sentence.
    """
    names = list(known)
    if close := nearest(name, names):
        return f"did you mean {close}?"
    if listed_by and len(names) > _FEW:
        return f"{listed_by} lists them"
    return f"the known names are {', '.join(names)}" if names else "there are none yet"


def sentence(text: str) -> str:
    """`text` with a full stop, unless it ends with a question mark."""
    return text if text.endswith("?") else f"{text}."
