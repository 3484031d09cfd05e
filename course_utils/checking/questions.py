"""The questions of the lessons, read from notebooks/questions/NN.md, one file for each lesson.

    # Quizzes

    ## 02.before.device
    What does `torch.device("cuda:1")` do?

    - [x] it names a device
      It makes a label, and nothing more.
    - [ ] it moves new tensors to the second GPU
      A label moves nothing.

    # Predictions

    ## 02.birthplace
    Where does `torch.tensor([1, 2, 3])` live?

    - cpu
    - cuda:0

    Say why.

    Because: the call names no device.

    # Claims

    ## 02.claim.flag
    `non_blocking=True` makes every copy faster.

    Verdict: true if the CPU tensor is pinned

    Because: only then can the copy run at the same time as the program.

`Say why.` asks for a reason in one line, and is optional. The right choice of a prediction is the
output of the cell. A verdict is `true`, `false` or `true if …`.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from course_utils.errors import CourseError
from course_utils.manifest import repository_root
from course_utils.nearest import nearest

_KEY = re.compile(r"\d{2}(\.[a-z0-9-]+)+")
_SAY_WHY = re.compile(r"^Say why\.$", re.MULTILINE)
_CHOICE = re.compile(r"- (?:\[(?P<mark>[ x])\] )?(?P<text>\S.*)")


@dataclass(frozen=True)
class Quiz:
    """A question with one right choice; every choice has its explanation."""

    key: str
    text: str
    choices: Mapping[str, str]
    right: str


@dataclass(frozen=True)
class Prediction:
    """A question about the output of the next cell, and the reason for that output.

    asks_why: whether the learner is asked for a reason too.
    """

    key: str
    text: str
    choices: tuple[str, ...]
    because: str
    asks_why: bool


TRUE, CONDITION, FALSE = "true", "true with a condition", "false"


@dataclass(frozen=True)
class Claim:
    """A sentence that many people repeat, the verdict on it, and the reason.

    right: TRUE, CONDITION or FALSE. verdict: the same in words, with the condition.
    """

    key: str
    text: str
    verdict: str
    because: str

    @property
    def right(self) -> str:
        """The right choice: TRUE, FALSE or CONDITION."""
        return self.verdict if self.verdict in (TRUE, FALSE) else CONDITION


Question = Quiz | Prediction | Claim
_Kind = TypeVar("_Kind", Quiz, Prediction, Claim)


def find(kind: type[_Kind], key: str) -> _Kind:
    """The question `key`. Raises CourseError, with the nearest key, if there is no such one."""
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise CourseError(
            f"{key!r} is not the key of a question. Write one such as 02.before.device."
        )
    path = questions_file(key[:2])
    known = read_questions(path) if path.exists() else {}
    found = known.get(key)
    if isinstance(found, kind):
        return found
    near = nearest(key, [k for k, q in known.items() if isinstance(q, kind)])
    advice = f"Did you mean {near!r}?" if near else f"Write it in {path}."
    raise CourseError(f"There is no {kind.__name__.lower()} called {key!r}. {advice}")


def questions_file(lesson: str) -> Path:
    """The file of the questions of a lesson such as "02"."""
    return repository_root() / "notebooks" / "questions" / f"{lesson}.md"


def read_questions(path: Path) -> Mapping[str, Question]:
    """All questions of a file, by key. Raises CourseError for a question that is not complete."""
    try:
        return _read(path, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}). Restore it.") from error


@lru_cache(maxsize=32)
def _read(path: Path, text: str) -> Mapping[str, Question]:
    found: dict[str, Question] = {}
    for section, entries in _under_headings("#", text):
        if section not in _READERS:
            raise CourseError(
                f"{path}: the heading “# {section}” is unknown. Use # {', # '.join(_READERS)}."
            )
        for key, entry in _under_headings("##", entries):
            if not _KEY.fullmatch(key) or key[:2] != path.stem:
                raise CourseError(
                    f"{path}: “{key}” is not a key of this lesson. Write one such as "
                    f"{path.stem}.before.device."
                )
            if key in found:
                raise CourseError(f"{path} has the question {key} twice. Rename one.")
            try:
                _check_plain(entry)
                found[key] = _READERS[section](key, entry)
            except ValueError as problem:
                raise CourseError(f"{path}, {key}: {problem}.") from None
    return found


def _under_headings(mark: str, text: str) -> list[tuple[str, str]]:
    """Each heading of a level, with the text under it."""
    _, *parts = re.split(rf"^{mark} (.*)$", text, flags=re.MULTILINE)
    return [(head.strip(), body) for head, body in zip(parts[::2], parts[1::2], strict=True)]


def _check_plain(entry: str) -> None:
    emphasis = re.search(r"\*\w[^*]*\*", re.sub(r"`[^`]*`", "", entry))
    if emphasis:
        raise ValueError(f"{emphasis[0]} would show its asterisks; use `code` or plain text")


def _quiz(key: str, entry: str) -> Quiz:
    text, items, _ = _parts(entry)
    right = [choice for mark, choice, _ in items if mark == "x"]
    if len(right) != 1:
        raise ValueError(f"{len(right)} choices are marked `- [x]`; mark the right one")
    for _, choice, why in items:
        if not why:
            raise ValueError(f"the choice “{choice}” has no explanation; write it below it")
    return Quiz(key, text, {choice: why for _, choice, why in items}, right[0])


def _prediction(key: str, entry: str) -> Prediction:
    shown, asks_why = _SAY_WHY.subn("", entry)
    text, items, because = _parts(shown)
    if any(mark for mark, _, _ in items):
        raise ValueError("a choice is marked as right; remove the mark, since the cell decides")
    choices = tuple(choice for _, choice, _ in items)
    return Prediction(key, text, choices, _explained(because), asks_why > 0)


def _claim(key: str, entry: str) -> Claim:
    body, _, because = entry.partition("\nBecause: ")
    text, verdict = (_joined(part) for part in body.partition("\nVerdict: ")[::2])
    if not text:
        raise ValueError("the claim itself is missing; write it under the key")
    if verdict not in (TRUE, FALSE) and not verdict.startswith("true if "):
        raise ValueError("write `Verdict: true`, `Verdict: false` or `Verdict: true if …`")
    return Claim(key, text, verdict, _explained(_joined(because)))


_READERS: Mapping[str, Callable[[str, str], Question]] = {
    "Quizzes": _quiz,
    "Predictions": _prediction,
    "Claims": _claim,
}


def _explained(because: str) -> str:
    if not because:
        raise ValueError("it has no explanation; write `Because: …` at its end")
    return because


def _parts(entry: str) -> tuple[str, list[tuple[str, str, str]], str]:
    """The question, its choices (mark, text, explanation), and the text after `Because:`."""
    body, _, because = entry.partition("\nBecause: ")
    before, *after = re.split(r"^(?=- )", body.strip(), flags=re.MULTILINE)
    items = []
    for item in after:
        first, _, rest = item.partition("\n")
        choice = _CHOICE.fullmatch(first.rstrip())
        if choice is None:
            raise ValueError(f"“{first}” is not a choice; write `- text` or `- [x] text`")
        items.append((choice["mark"] or "", choice["text"], _joined(rest)))
    if not before.strip() or len(items) < 2:
        raise ValueError("it needs a question and two choices or more")
    if len({choice for _, choice, _ in items}) < len(items):
        raise ValueError("two choices are the same; change one")
    return _joined(before), items, _joined(because)


def _joined(text: str) -> str:
    return " ".join(text.split())
