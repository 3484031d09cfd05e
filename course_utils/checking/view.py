"""The messages for learners: as HTML for notebooks, and as plain text with the same words."""

import html
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from course_utils.inline import inline
from exercise_kit.outcomes import (
    NEVER_CALLED,
    CouldNotGrade,
    Failed,
    NotAttempted,
    Passed,
    Place,
    Raised,
    Report,
    TimedOut,
)
from exercise_kit.text import clip, code
from exercise_kit.words import Words


@dataclass(frozen=True)
class Line:
    """One line of a message: a bold lead (may be empty) and text with `code` in backticks."""

    lead: str
    text: str


@dataclass(frozen=True, repr=False)
class Message:
    """A message for a learner, as HTML and as plain text with the same words.

    mark: a sign for the outcome. tone: its colour, which only repeats the mark.
    """

    mark: str
    tone: str
    lines: tuple[Line, ...]
    excerpt: str = ""

    @property
    def text(self) -> str:
        """The message as plain text, line by line."""
        lines = [f"{line.lead} {line.text}".strip() for line in self.lines]
        lines[0] = f"{self.mark} {lines[0]}"
        if self.excerpt:
            lines += ["Your code printed:", *("  | " + row for row in self.excerpt.splitlines())]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<p style='margin:0.2em 0'>{self.mark + '&ensp;' if number == 0 else ''}"
            f"{f'<b>{inline(line.lead)}</b> ' if line.lead else ''}{inline(line.text)}</p>"
            for number, line in enumerate(self.lines)
        )
        if self.excerpt:
            rows += (
                "<details><summary>What your code printed</summary>"
                f"<pre>{html.escape(self.excerpt)}</pre></details>"
            )
        return (
            f"<div role='status' style='border-left:0.35em solid {self.tone};"
            f"padding:0.3em 0.9em;margin:0.4em 0;overflow-wrap:anywhere'>{rows}</div>"
        )


@dataclass(frozen=True, repr=False)
class CheckMessage(Message):
    """The message of a check, with its report."""

    report: Report = field(kw_only=True)


WORDS = Path(__file__).with_name("words.md")
"""The texts of findings that any exercise can have, in addition to those of exercise_kit."""

AGAIN = "At grading they run again with other values; `check(…, seed=1)` does that now."
"""The note for learners on an exercise that is graded."""

GREEN, AMBER, RED, GREY = "#2e8540", "#b8860b", "#b23b3b", "#808080"


def report_message(
    report: Report,
    words: Words,
    notes: Sequence[str] = (),
    printed: str = "",
    *,
    further: str = AGAIN,
    secret: bool = False,
    withheld: bool = False,
) -> CheckMessage:
    """The message for `report`.

    notes: sentences to add, such as the devices of the check.
    further: a sentence to add if all cases have passed.
    secret: whether to hide the values of drawn cases. Then the message has no text into which the
        answer could have written them, and none that it printed.
    withheld: whether to hide, in every case, all text that the answer could have written.
    """
    hidden = withheld or (secret and report.place is not None and report.place.drawn)
    mark, tone, lines = _content(report, words, hidden, further)
    lines += [Line("", note) for note in notes]
    return CheckMessage(mark, tone, tuple(lines), "" if secret else printed, report=report)


def _content(
    report: Report, words: Words, hidden: bool, further: str
) -> tuple[str, str, list[Line]]:
    place = report.place
    match report.outcome:
        case Passed(cases, drawn):
            text = f"{cases} of {cases} cases." if cases > 1 else ""
            if drawn:
                text += f" {drawn} of them ran with other values."
            elif further and drawn is None and report.run is None:
                text += f" {further}"
            return "✓", GREEN, [Line("Passed.", text)]
        case Failed(finding):
            wording = words.finding(finding.name)
            lines = [Line(f"Not yet: {wording.title}.", wording.explanation)]
            if not hidden:
                seen, expected = code(clip(finding.seen)), code(clip(finding.expected))
                lines.append(Line("Seen:", f"{seen} · expected: {expected}"))
            several = place is not None and place.of > 1  # a single case needs no "Where:"
            if several and finding.name not in NEVER_CALLED:
                lines.append(Line("Where:", where(place)))
            advice = wording.next_step[:1].upper() + wording.next_step[1:]
            offer = _hint_offer(report, wording.hint)
            return "✗", RED, [*lines, Line("Next:", f"{advice} {offer}")]
        case NotAttempted():
            name = code(report.exercise.partition(".")[2])
            advice = "Replace the line that raises NotImplementedError with your own code. If a "
            advice += "program to fix is below that line, only delete the line. Run that cell. "
            advice += _hint_offer(report)
            lead = Line("Not attempted yet.", f"{name} still has its starting text.")
            return "○", GREY, [lead, Line("Next:", advice)]
        case Raised(raised):
            error = str(raised)
            if hidden:
                error = raised.type if raised.known else "an exception of your own"
            lines = [Line("Your code raised an error.", code(clip(error)))]
            at = where(place)
            if raised.where and not hidden:
                at = f"{raised.where} · {at}" if at else raised.where
            line = "first" if raised.type == "AcceleratorError" else "last"  # CUDA adds advice
            advice = f"Read the message from its {line} line. {_hint_offer(report)}"
            if raised.type == "ModuleNotFoundError":
                advice = "Remove this import: grading has only what the course installs."
            lines += [Line("Where:", at)] if at else []
            return "!", AMBER, [*lines, Line("Next:", advice)]
        case TimedOut(seconds, waiting):
            if waiting:
                what = f"Your code did not return within {seconds:g} seconds, and mostly waited."
                advice = "Find what it waits for: `sleep`, `input`, a lock, another process."
            else:
                what = f"Your code was still computing after {seconds:g} seconds of processor time."
                advice = (
                    "Look for a loop that does not end, or for work that is repeated many times."
                )
            lines = [Line("Stopped.", what), Line("Where:", where(place)), Line("Next:", advice)]
            return "■", AMBER, lines
        case CouldNotGrade(reason):
            what = "The check itself failed. Your answer was not judged, and loses no points."
            lines = [
                Line("This could not be checked.", what),
                Line("Reason:", code("not shown while grading" if hidden else reason)),
                Line("Next:", "Show this message to your instructor."),
            ]
            return "?", AMBER, lines


def where(place: Place | None) -> str:
    """The case in which a check stopped, in words."""
    if place is None:
        return ""
    drawn = ", with other values" if place.drawn else ""
    return f"case {place.number} of {place.of} ({place.title}{drawn})"


def _hint_offer(report: Report, number: int | None = None) -> str:
    if number is None:
        return f'`hint("{report.exercise}")` helps.'
    return f'`hint("{report.exercise}", {number})` helps here.'
