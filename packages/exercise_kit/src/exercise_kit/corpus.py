"""The known answers of an exercise: files in its folder that say what should come of them.

accepted/NAME.py passes; wrong/NAME.py says what it meets in its first line: `# finding: NAME`,
`# outcome: raised` or `# outcome: timed-out`.
"""

import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exercise_kit.errors import ExerciseError

_OUTCOMES = ("raised", "timed-out")
_ALWAYS = ("answer.py", "task.md", "words.md")
_PARTS = {*_ALWAYS, "cases.py", "observe.py", "judge.py", "run.py", "known.json", "survivors.toml"}


@dataclass(frozen=True)
class KnownAnswer:
    """A learner's cell with what should come of it.

    expected: "passed", "raised", "timed-out" or the name of a finding.
    """

    path: Path
    source: str
    expected: str


def known_answers(place: Path, kind: str) -> list[KnownAnswer]:
    """The answers in `place`/`kind`, where kind is "accepted" or "wrong", in order of name.

    Raises ExerciseError for a wrong answer whose first lines do not say what it meets.
    """
    paths = sorted((place / kind).glob("*.py"))
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    if kind == "accepted":
        return [KnownAnswer(path, source, "passed") for path, source in sources.items()]
    return [KnownAnswer(path, source, _expected(path, source)) for path, source in sources.items()]


def missing_parts(place: Path) -> Iterator[str]:
    """The files that every exercise has and this one lacks."""
    kinds = {"judge.py": ("observe.py",), "run.py": ()}
    beside = next((more for name, more in kinds.items() if (place / name).is_file()), ("cases.py",))
    for name in (*_ALWAYS, *beside):
        if not (place / name).is_file():
            yield name


def stray_files(place: Path) -> Iterator[Path]:
    """Files in `place` that are no part of an exercise."""
    for path in sorted(place.rglob("*")):
        inside = path.relative_to(place)
        answer = len(inside.parts) == 2 and inside.parts[0] in ("accepted", "wrong")
        known = (answer and path.suffix == ".py") or str(inside) in _PARTS
        if path.is_file() and not known and "__pycache__" not in inside.parts:
            yield path


def _expected(path: Path, source: str) -> str:
    first = source.partition("\n")[0]
    for lead in ("# finding: ", "# outcome: "):
        name = first.removeprefix(lead).strip()
        if first.startswith(lead) and name and (lead == "# finding: " or name in _OUTCOMES):
            return name
    raise ExerciseError(
        f"{path}: the first line must say what the answer meets: `# finding: NAME`, "
        f"or `# outcome: ` and one of {', '.join(_OUTCOMES)}."
    )


def class_name(short: str) -> str:
    """What a class is called that solves the exercise `short`: "TwoWords" for "two_words"."""
    return short.title().replace("_", "")


def load_answer(source: str, name: str, filename: str) -> Callable[..., Any]:
    """Run a learner's cell and return the function `name` it defines, or else the class.

    Raises ExerciseError if the cell does not run to its end, or defines no such name.
    """
    namespace: dict[str, Any] = {"__name__": "answer"}
    # Known to linecache, so that a report can quote the line that raised.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    try:
        exec(compile(source, filename, "exec"), namespace)
    except Exception as error:
        raise ExerciseError(f"{filename}: the cell does not run: {error!r}.") from error
    found = name if name in namespace else class_name(name)
    if found not in namespace:
        raise ExerciseError(f"{filename}: it must define `{name}`.")
    return namespace[found]
