"""The words of an exercise, out of its words.md: what findings say, and the hints.

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
    """What a learner reads about a finding. It carries no values.

    title: half a sentence after "Not yet:" ("the batch stayed where it was").
    explanation: one or two sentences on why.
    next_step: one thing to try now.
    hint: the number of the hint that fits, from 1; None for a general finding.
    """

    title: str
    explanation: str
    next_step: str
    hint: int | None


@dataclass(frozen=True)
class Words:
    """What is said about one exercise.

    findings: by name, in the order in which they explain. general: those of any exercise.
    hints: Markdown, from a nudge to a worked example of something similar.
    """

    path: Path
    findings: Mapping[str, Wording]
    hints: tuple[str, ...]
    general: Mapping[str, Wording] = field(default_factory=dict)

    def finding(self, name: str) -> Wording:
        """The words of a finding of this exercise, or of a general one.

        Raises ExerciseError if there are none.
        """
        found = self.findings.get(name) or self.general.get(name)
        if found is None:
            raise ExerciseError(f"{self.path} has no words for {name}: write them there.")
        return found


def read_words(path: Path, general: Mapping[str, Wording] | None = None) -> Words:
    """Raises ExerciseError, in a sentence with the file, for whatever is missing or misplaced."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ExerciseError(
            f"{path} cannot be read ({error.strerror}): write the words of the exercise there."
        ) from error
    findings: dict[str, Wording] = {}
    hints: list[str] = []
    for section, heading, body in _entries(path, text):
        if section == "Findings":
            name, wording = _finding(path, heading, body)
            if name in findings:
                raise ExerciseError(f"{path} has the finding {name} twice: drop one.")
            findings[name] = wording
        elif heading != str(len(hints) + 1):
            raise ExerciseError(
                f"{path}: the hint “{heading}” should be called {len(hints) + 1}: number hints in "
                "order."
            )
        elif not body:
            raise ExerciseError(f"{path}: hint {heading} is empty: write it.")
        else:
            hints.append(body)
    for name, wording in findings.items():
        if wording.hint is not None and not 1 <= wording.hint <= len(hints):
            raise ExerciseError(
                f"{path}: the finding {name} names hint {wording.hint}, and there are "
                f"{len(hints)}: name the one that fits it."
            )
    return Words(path, findings, tuple(hints), general or {})


@cache
def general_findings(more: Path | None = None) -> Mapping[str, Wording]:
    """Those that any exercise can meet: words.md beside this file, and a course's own."""
    own = read_words(Path(__file__).with_name("words.md")).findings
    return own if more is None else {**own, **read_words(more).findings}


def _entries(path: Path, text: str) -> list[tuple[str, str, str]]:
    """Section, heading and body of everything under a heading of the second level."""
    found: list[tuple[str, str, list[str]]] = []
    section = ""
    fenced = False
    lines: list[str] = []
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if line.startswith("# ") and not fenced:
            section = line[2:].strip()
            if section not in ("Findings", "Hints"):
                raise ExerciseError(f"{path}: “{line}” is neither # Findings nor # Hints.")
        elif line.startswith("## ") and not fenced:
            if not section:
                raise ExerciseError(f"{path}: “{line}” stands before # Findings: move it below.")
            lines = []
            found.append((section, line[3:].strip(), lines))
        elif found:
            lines.append(line)
        elif line.strip():
            raise ExerciseError(f"{path} begins with “{line}”: begin it with # Findings.")
    return [(section, heading, "\n".join(body).strip()) for section, heading, body in found]


def _finding(path: Path, heading: str, body: str) -> tuple[str, Wording]:
    named = _NAMED.fullmatch(heading)
    if named is None:
        raise ExerciseError(
            f"{path}: “## {heading}” must give a name in kebab-case and half a sentence, as in "
            "`## result-not-kept: the batch stayed where it was`."
        )
    parts = _FINDING.fullmatch(body)
    if parts is None:
        raise ExerciseError(
            f"{path}: the finding {named['name']} needs an explanation, then a paragraph "
            "`Next: …`, then `Hint: ` and a number."
        )
    hint = int(parts["hint"]) if parts["hint"] else None
    why, following = (" ".join(parts[key].split()) for key in ("why", "next"))
    return named["name"], Wording(named["title"].strip(), why, following, hint)
