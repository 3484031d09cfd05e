"""The questions of the lessons, out of notebooks/questions/NN.md, one file for each lesson.

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

    Because: nothing was said about a device.

    # Claims

    ## 02.claim.flag
    `non_blocking=True` makes every copy faster.

    Verdict: true if the CPU tensor is pinned

    Because: only then can the copy run beside the program.

`Say why.` asks for a reason in a line, and may be left out. The right choice of a prediction is
what the cell then shows. A verdict is `true`, `false` or `true if …`.
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
    """A question about what the next cell will show, and why it does.

    asks_why: whether a reason is asked for as well.
    """

    key: str
    text: str
    choices: tuple[str, ...]
    because: str
    asks_why: bool


TRUE, CONDITION, FALSE = "true", "true with a condition", "false"


@dataclass(frozen=True)
class Claim:
    """A sentence that circulates, what is right about it, and why.

    right: TRUE, CONDITION or FALSE. verdict: the same in words, with the condition.
    """

    key: str
    text: str
    verdict: str
    because: str

    @property
    def right(self) -> str:
        """The choice that is right: true, false, or with a condition."""
        return self.verdict if self.verdict in (TRUE, FALSE) else CONDITION


Question = Quiz | Prediction | Claim
_Kind = TypeVar("_Kind", Quiz, Prediction, Claim)


def find(kind: type[_Kind], key: str) -> _Kind:
    """A question of a kind. Raises CourseError, with the nearest keys, if there is no such one."""
    if not isinstance(key, str) or not _KEY.fullmatch(key):
        raise CourseError(f"{key!r} is no question: a key looks like 02.before.device.")
    path = questions_file(key[:2])
    known = read_questions(path) if path.exists() else {}
    found = known.get(key)
    if isinstance(found, kind):
        return found
    near = nearest(key, [k for k, q in known.items() if isinstance(q, kind)])
    advice = f"did you mean {near!r}?" if near else f"write it in {path}."
    raise CourseError(f"There is no {kind.__name__.lower()} called {key!r}: {advice}")


def questions_file(lesson: str) -> Path:
    """The questions of lesson "02"."""
    return repository_root() / "notebooks" / "questions" / f"{lesson}.md"


def read_questions(path: Path) -> Mapping[str, Question]:
    """Every question of a file, by key. Raises CourseError for one that is not complete."""
    try:
        return _read(path, path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CourseError(f"{path} cannot be read ({error.strerror}): put it there.") from error


@lru_cache(maxsize=32)
def _read(path: Path, text: str) -> Mapping[str, Question]:
    found: dict[str, Question] = {}
    for section, entries in _under_headings("#", text):
        if section not in _READERS:
            raise CourseError(f"{path}: “# {section}” is none of # {', # '.join(_READERS)}.")
        for key, entry in _under_headings("##", entries):
            if not _KEY.fullmatch(key) or key[:2] != path.stem:
                raise CourseError(
                    f"{path}: “{key}” is no key of this lesson, such as {path.stem}.before.device."
                )
            if key in found:
                raise CourseError(f"{path} has the question {key} twice: rename one.")
            try:
                _check_plain(entry)
                found[key] = _READERS[section](key, entry)
            except ValueError as problem:
                raise CourseError(f"{path}, {key}: {problem}.") from None
    return found


def _under_headings(mark: str, text: str) -> list[tuple[str, str]]:
    """Each heading of a level, with what stands under it."""
    _, *parts = re.split(rf"^{mark} (.*)$", text, flags=re.MULTILINE)
    return [(head.strip(), body) for head, body in zip(parts[::2], parts[1::2], strict=True)]


def _check_plain(entry: str) -> None:
    emphasis = re.search(r"\*\w[^*]*\*", re.sub(r"`[^`]*`", "", entry))
    if emphasis:
        raise ValueError(f"{emphasis[0]} would show its asterisks: only `code` is marked")


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
        raise ValueError("a prediction marks no choice as right: the cell decides")
    choices = tuple(choice for _, choice, _ in items)
    return Prediction(key, text, choices, _explained(because), asks_why > 0)


def _claim(key: str, entry: str) -> Claim:
    body, _, because = entry.partition("\nBecause: ")
    text, verdict = (_joined(part) for part in body.partition("\nVerdict: ")[::2])
    if not text:
        raise ValueError("the claim itself is missing")
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
    """The question, its choices with mark and explanation, and what follows `Because:`."""
    body, _, because = entry.partition("\nBecause: ")
    before, *after = re.split(r"^(?=- )", body.strip(), flags=re.MULTILINE)
    items = []
    for item in after:
        first, _, rest = item.partition("\n")
        choice = _CHOICE.fullmatch(first.rstrip())
        if choice is None:
            raise ValueError(f"“{first}” is no choice")
        items.append((choice["mark"] or "", choice["text"], _joined(rest)))
    if not before.strip() or len(items) < 2:
        raise ValueError("it needs a question and two choices or more")
    if len({choice for _, choice, _ in items}) < len(items):
        raise ValueError("two choices are the same")
    return _joined(before), items, _joined(because)


def _joined(text: str) -> str:
    return " ".join(text.split())
