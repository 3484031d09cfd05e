"""Which known name was meant: none rather than a silly one."""

from collections.abc import Iterable
from difflib import get_close_matches

_FEW = 15  # names that a sentence can hold
_WHOLE, _PART = 0.75, 0.6  # how alike two names are, and two parts of names


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like `name`, if one is.

    Of names with a dot the parts are compared: what tells apart the exercises of a topic is not
    the topic.
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
    """The second half of a sentence that says there is no `name`.

    listed_by: what shows all of them, where they are too many for a sentence.
    """
    names = list(known)
    if close := nearest(name, names):
        return f"did you mean {close}?"
    if listed_by and len(names) > _FEW:
        return f"{listed_by} lists them"
    return f"known are {', '.join(names)}" if names else "there are none yet"


def sentence(text: str) -> str:
    """`text`, which may end in such a suggestion, with a full stop unless it asks something."""
    return text if text.endswith("?") else f"{text}."
