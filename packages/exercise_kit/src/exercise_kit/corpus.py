"""The known answers of an exercise, in accepted/ and wrong/, with their expected outcomes.

Each has a name. It is a file NAME.py, or a cell of others.py in the same folder: the line
`# %% NAME`, and the answer below it. An accepted answer passes. A wrong answer has its outcome in
its first line: `# finding: NAME`, `# outcome: raised` or `# outcome: timed-out`.
"""

import linecache
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from exercise_kit.errors import ExerciseError

_CELLS = "others.py"
_MARK = re.compile(r"(?:^\n)?^# %%[ \t]*(?P<name>.*?)[ \t]*$\n?", re.MULTILINE)
"""The first line of a cell, with the blank line above it, which belongs to no answer."""
_OUTCOMES = ("raised", "timed-out")
_ALWAYS = ("answer.py", "task.md", "words.md")
_PARTS = {*_ALWAYS, "cases.py", "observe.py", "judge.py", "run.py", "known.json", "survivors.toml"}


@dataclass(frozen=True)
class KnownAnswer:
    """A learner's cell with its expected outcome.

    where: its file and cell, for messages. line: its first line in the file.
    expected: "passed", "raised", "timed-out" or the name of a finding.
    """

    name: str
    where: str
    line: int
    source: str
    expected: str

    def load(self, short: str) -> Callable[..., Any]:
        """The function or class for the exercise `short`, from `load_answer`."""
        return load_answer(self.source, short, self.where, self.line)


def known_answers(place: Path, kind: str) -> list[KnownAnswer]:
    """The answers in `place`/`kind`, where kind is "accepted" or "wrong", in order of name.

    Raises ExerciseError for a cell without a name, two answers with one name, and a wrong answer
    without an outcome in its first line.
    """
    found: dict[str, KnownAnswer] = {}
    for path in sorted((place / kind).glob("*.py")):
        for name, where, line, source in _texts(path):
            if name in found:
                raise ExerciseError(
                    f"{place / kind} has two answers called {name}. Give one of them another name."
                )
            expected = "passed" if kind == "accepted" else _expected(where, source)
            found[name] = KnownAnswer(name, where, line, source, expected)
    return [found[name] for name in sorted(found)]


def _texts(path: Path) -> Iterator[tuple[str, str, int, str]]:
    """The answers of a file: name, place for messages, first line and text of each."""
    text = path.read_text(encoding="utf-8")
    if path.name != _CELLS:
        yield path.stem, str(path), 1, text
        return
    marks = [*_MARK.finditer(text)]
    if text[: marks[0].start() if marks else None].strip():
        raise ExerciseError(f"{path} must begin with `# %% NAME`. Move the text above it down.")
    for mark, following in zip_longest(marks, marks[1:]):
        name, line = mark["name"], text.count("\n", 0, mark.start("name")) + 1
        if not name:
            raise ExerciseError(f"{path}, line {line}: the cell has no name. Write `# %% NAME`.")
        end = following.start() if following else len(text)
        yield name, f"{path}, cell {name}", line + 1, text[mark.end() : end]


def missing_parts(place: Path) -> Iterator[str]:
    """The names of required files that this exercise lacks."""
    kinds = {"judge.py": ("observe.py",), "run.py": ()}
    beside = next((more for name, more in kinds.items() if (place / name).is_file()), ("cases.py",))
    for name in (*_ALWAYS, *beside):
        if not (place / name).is_file():
            yield name


def stray_files(place: Path) -> Iterator[Path]:
    """The files in `place` that are not part of an exercise."""
    for path in sorted(place.rglob("*")):
        inside = path.relative_to(place)
        answer = len(inside.parts) == 2 and inside.parts[0] in ("accepted", "wrong")
        known = (answer and path.suffix == ".py") or str(inside) in _PARTS
        if path.is_file() and not known and "__pycache__" not in inside.parts:
            yield path


def _expected(where: str, source: str) -> str:
    first = source.partition("\n")[0]
    for lead in ("# finding: ", "# outcome: "):
        name = first.removeprefix(lead).strip()
        if first.startswith(lead) and name and (lead == "# finding: " or name in _OUTCOMES):
            return name
    raise ExerciseError(
        f"{where}: the first line must name the outcome. Write `# finding: NAME`, "
        f"or `# outcome: ` and one of {', '.join(_OUTCOMES)}."
    )


def class_name(short: str) -> str:
    """The name of a class that solves the exercise `short`: "TwoWords" for "two_words"."""
    return short.title().replace("_", "")


def load_answer(source: str, name: str, filename: str, line: int = 1) -> Callable[..., Any]:
    """The function `name`, or else the class, that a learner's cell defines. Runs the cell.

    line: its first line in the file, so that tracebacks have the right line numbers.

    Raises ExerciseError if the cell raises an error, or does not define this name.
    """
    namespace: dict[str, Any] = {"__name__": "answer"}
    source = "\n" * (line - 1) + source
    # For linecache, so that a report can quote the line that raised an error.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    try:
        exec(compile(source, filename, "exec"), namespace)
    except Exception as error:
        raise ExerciseError(f"{filename}: the cell raises {error!r}. Correct it.") from error
    found = name if name in namespace else class_name(name)
    if found not in namespace:
        raise ExerciseError(f"{filename}: the cell must define `{name}`.")
    return namespace[found]
