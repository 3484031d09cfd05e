"""The result of a case as JSON, on its way from the process of an answer to that of a judge."""

from collections.abc import Callable, Mapping
from typing import Any

from exercise_kit.contract import Finding, Raise
from exercise_kit.outcomes import TimedOut
from exercise_kit.runner import Seen, Unfit
from exercise_kit.text import clip


def sent(seen: Seen | None) -> dict[str, Any]:
    """A result as JSON. None: the case needs a new copy of the answer, and there is none."""
    match seen:
        case None:
            return {"no_copy": True}
        case Raise(kind, text, where):
            return {"raise": [kind, text, where]}
        case TimedOut(seconds, waiting):
            return {"timed_out": [seconds, waiting]}
        case Unfit(finding):
            return {"unfit": [finding.name, finding.seen, finding.expected]}
    return {"facts": seen}


def received(message: Mapping[str, Any], is_known: Callable[[str], bool]) -> Seen | None:
    """The result from a message of `sent`, which an answer can forge.

    is_known: whether an exception has a well-known name; only such names may be shown, because an
        answer can choose others. Raises ValueError for a message of another form.
    """
    match [*message.items()]:
        case [("facts", dict(facts))]:
            return facts
        case [("no_copy", True)]:
            return None
        case [("raise", [str(name), str(text), str(where)])]:
            return Raise(clip(name, 80), clip(text, 2000), clip(where, 300), is_known(name))
        case [("timed_out", [int() | float() as seconds, bool(waiting)])]:
            return TimedOut(seconds, waiting)
        case [("unfit", [str(name), str(seen), str(expected)])]:
            return Unfit(Finding(name, clip(seen), clip(expected)))
    raise ValueError("the message has an unknown form")
