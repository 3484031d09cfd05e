"""Results of cases, and reports, as JSON, on their way from one process to another."""

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import Any

from exercise_kit import outcomes
from exercise_kit.contract import Finding, Raise
from exercise_kit.outcomes import Place, Report, TimedOut
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


def sent_report(report: Report) -> dict[str, Any]:
    """A report as JSON. Its outcome is a pair of the name and the details."""
    outcome = type(report.outcome).__name__, asdict(report.outcome)
    return {**asdict(report), "outcome": outcome}


def received_report(message: Mapping[str, Any]) -> Report:
    """The report from a message of `sent_report`."""
    kind, details = message["outcome"]
    parts = {"finding": Finding, "raised": Raise}
    made = {key: parts[key](**it) if key in parts else it for key, it in details.items()}
    place = message["place"] and Place(**message["place"])
    outcome = getattr(outcomes, kind)(**made)
    return Report(message["exercise"], outcome, place, message["run"], message["guess"])
