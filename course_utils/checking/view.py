"""What a learner sees: every message as HTML for notebooks, with a plain-text twin."""

import html
import re
from dataclasses import dataclass, field

from course_utils.checking.outcomes import (
    CouldNotGrade,
    Failed,
    NotAttempted,
    Passed,
    Place,
    Raised,
    Report,
    TimedOut,
)


@dataclass(frozen=True)
class Line:
    """One line of a message: a bold lead (may be empty) and text with `code` in backticks."""

    lead: str
    text: str


@dataclass(frozen=True, repr=False)
class Message:
    """Something shown to a learner, as rich HTML and as plain text with the same words.

    mark and tone tell outcomes apart: by shape first, by colour only in addition.
    """

    mark: str
    tone: str
    lines: tuple[Line, ...]
    excerpt: str = ""

    @property
    def text(self) -> str:
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
            f"{f'<b>{_inline(line.lead)}</b> ' if line.lead else ''}{_inline(line.text)}</p>"
            for number, line in enumerate(self.lines)
        )
        if self.excerpt:
            rows += (
                "<details><summary>What your code printed</summary>"
                f"<pre>{html.escape(self.excerpt)}</pre></details>"
            )
        return (
            f"<div role='status' style='border-left:0.35em solid {self.tone};"
            f"padding:0.3em 0.9em;margin:0.4em 0'>{rows}</div>"
        )


@dataclass(frozen=True, repr=False)
class CheckMessage(Message):
    """The message of a check, with the report it was made from."""

    report: Report = field(kw_only=True)


GREEN, AMBER, RED, GREY = "#2e8540", "#b8860b", "#b23b3b", "#808080"


def report_message(report: Report, device: str = "") -> CheckMessage:
    """The message for `report`. `device` says what it was checked on ("4 virtual GPUs")."""
    mark, tone, lines = _content(report)
    if device:
        lines.append(Line("", f"Checked on {device}."))
    return CheckMessage(mark, tone, tuple(lines), report.printed, report=report)


def _content(report: Report) -> tuple[str, str, list[Line]]:
    place = report.place
    match report.outcome:
        case Passed(cases, waiting):
            if waiting:
                text = f"{cases} of {cases} public cases. {waiting} more run at grading."
            else:
                text = f"{cases} of {cases} cases."
            return "✓", GREEN, [Line("Passed.", text)]
        case Failed(finding):
            kind = finding.kind
            if place is not None and place.hidden:
                evidence = Line("Where:", _where(place))
            else:
                seen = f"`{finding.seen}` · expected: `{finding.expected}`"
                evidence = Line("Seen:", f"{seen} · {_where(place)}" if place else seen)
            return "✗", RED, [
                Line(f"Not yet: {kind.title}.", kind.explanation),
                evidence,
                Line("Next:", f"{kind.next_step} {_hint_offer(report)}"),
            ]
        case NotAttempted():
            return "○", GREY, [
                Line("Not attempted yet.", "The cell above still holds its starting text."),
                Line("Next:", f"Replace the last line by your own code, and run it. "
                              f"{_hint_offer(report)}"),
            ]
        case Raised(raised):
            hide = place is not None and place.hidden
            error = raised.type if hide or not raised.text else f"{raised.type}: {raised.text}"
            lines = [Line("Your code raised an error.", f"`{error}`")]
            at = f"{raised.where} · {_where(place)}" if raised.where else _where(place)
            lines.append(Line("Where:", at))
            lines.append(Line("Next:", f"Read the message from its last line. "
                                       f"{_hint_offer(report)}"))
            return "!", AMBER, lines
        case TimedOut(seconds):
            return "⧖", AMBER, [
                Line("Stopped.", f"Your code was still running after {seconds:g} seconds."),
                Line("Where:", _where(place)),
                Line("Next:", "Look for a loop whose condition never becomes false."),
            ]
        case CouldNotGrade(reason):
            return "?", AMBER, [
                Line("This could not be checked.", "The check itself failed; your answer was "
                     "not judged, and nothing counts against you."),
                Line("Reason:", f"`{reason}`"),
                Line("Next:", "Please show this message to your instructor."),
            ]


def _where(place: Place | None) -> str:
    if place is None:
        return ""
    group = "hidden case" if place.hidden else "case"
    return f"{group} {place.number} of {place.of} ({place.description})"


def _hint_offer(report: Report) -> str:
    return f'`hint("{report.exercise}")` helps.'


def _inline(text: str) -> str:
    """Escape for HTML; `backticks` become code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(text, quote=False))
