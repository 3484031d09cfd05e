"""The texts of an exercise from its words.md: the findings and the hints.

# Findings

## result-not-kept: the batch stayed where it was
`Tensor.to` returns a new tensor; it does not move the old one.

Next: build a new tuple out of what `to` returns.

Hint: 1

# Hints

## 1
What does `t.to(device)` do to `t`?
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from exercise_kit.errors import ExerciseError

_FINDING = re.compile(
    r"(?P<why>\S.*?)\n+Next: (?P<next>\S.*?)(\n+Hint: (?P<hint>\d+))?\s*\Z", re.DOTALL
)
_NAMED = re.compile(r"(?P<name>[a-z0-9]+(-[a-z0-9]+)*): (?P<title>\S.*)")


@dataclass(frozen=True)
class Wording:
    """The text of a finding for learners. It contains no values.

    title: half a sentence after "Not yet:" ("the batch stayed where it was").
    explanation: one or two sentences on the reason.
    next_step: one thing to try now.
    hint: the number of its hint, from 1; None for a general finding.
    """

    title: str
    explanation: str
    next_step: str
    hint: int | None


@dataclass(frozen=True)
class Words:
    """The texts of one exercise.

    findings: name → text, in the order in which findings are tried. general: for all exercises.
    hints: Markdown, from a small hint to a worked example of something similar.
    """

    path: Path
    findings: Mapping[str, Wording]
    hints: tuple[str, ...]
    general: Mapping[str, Wording] = field(default_factory=dict)

    def finding(self, name: str) -> Wording:
        """The text of a finding of this exercise, or of a general one.

        Raises ExerciseError if there is none.
        """
        found = self.findings.get(name) or self.general.get(name)
        if found is None:
            raise ExerciseError(f"{self.path} has no text for the finding {name}. Write it there.")
        return found


def read_words(path: Path, general: Mapping[str, Wording] | None = None) -> Words:
    """The texts in a words.md. Raises ExerciseError, with the file's path, for a wrong format."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ExerciseError(
            f"{path} cannot be read ({error.strerror}). Write the texts of the exercise there."
        ) from error
    findings: dict[str, Wording] = {}
    hints: list[str] = []
    for section, heading, body in _entries(path, text):
        if section == "Findings":
            name, wording = _finding(path, heading, body)
            if name in findings:
                raise ExerciseError(f"{path} has the finding {name} twice. Delete one.")
            findings[name] = wording
        elif heading != str(len(hints) + 1):
            raise ExerciseError(
                f"{path}: the hint “{heading}” must be called {len(hints) + 1}. Number the hints "
                "in order."
            )
        elif not body:
            raise ExerciseError(f"{path}: hint {heading} is empty. Write it.")
        else:
            hints.append(body)
    for name, wording in findings.items():
        if wording.hint is not None and not 1 <= wording.hint <= len(hints):
            raise ExerciseError(
                f"{path}: the finding {name} names hint {wording.hint}, but there are only "
                f"{len(hints)} hints. Name one of them."
            )
    return Words(path, findings, tuple(hints), general or {})


@cache
def general_findings(more: Path | None = None) -> Mapping[str, Wording]:
    """The findings for all exercises: from words.md in this folder, and from a course's file."""
    own = read_words(Path(__file__).with_name("words.md")).findings
    return own if more is None else {**own, **read_words(more).findings}


def _entries(path: Path, text: str) -> list[tuple[str, str, str]]:
    """Section, heading and body of each part with a second-level heading."""
    found: list[tuple[str, str, list[str]]] = []
    section = ""
    fenced = False
    lines: list[str] = []
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("# ") and not fenced:
            section = line[2:].strip()
            if section not in ("Findings", "Hints"):
                raise ExerciseError(f"{path}: “{line}” must be # Findings or # Hints. Correct it.")
        elif line.startswith("## ") and not fenced:
            if not section:
                raise ExerciseError(f"{path}: “{line}” is above # Findings. Move it below.")
            lines = []
            found.append((section, line[3:].strip(), lines))
        elif found:
            lines.append(line)
        elif line.strip():
            raise ExerciseError(f"{path} begins with “{line}”. Begin it with # Findings.")
    return [(section, heading, "\n".join(body).strip()) for section, heading, body in found]


def _finding(path: Path, heading: str, body: str) -> tuple[str, Wording]:
    named = _NAMED.fullmatch(heading)
    if named is None:
        raise ExerciseError(
            f"{path}: “## {heading}” needs another form. Write a name in kebab-case and half a "
            "sentence, as in `## result-not-kept: the batch stayed where it was`."
        )
    parts = _FINDING.fullmatch(body)
    if parts is None:
        raise ExerciseError(
            f"{path}: the finding {named['name']} is not complete. Write an explanation, then a "
            "paragraph `Next: …`, then `Hint: ` and a number."
        )
    hint = int(parts["hint"]) if parts["hint"] else None
    why, following = (" ".join(parts[key].split()) for key in ("why", "next"))
    return named["name"], Wording(named["title"].strip(), why, following, hint)
