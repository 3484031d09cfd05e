"""The known answers of an exercise: files in its folder that say what should come of them.

accepted/NAME.py passes; wrong/NAME.py says what it meets in its first line: `# finding: NAME`,
`# outcome: raised` or `# outcome: timed-out`. A second line `# passes-public: WHY` marks a wrong
answer that only grading can find, such as one that holds the public cases by heart.
"""

import linecache
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from course_utils.errors import CourseError

_OUTCOMES = ("raised", "timed-out")
_PARTS = {"task.md", "answer.py", "observe.py", "judge.py", "words.md", "survivors.toml"}
_PASSES_PUBLIC = "# passes-public:"


@dataclass(frozen=True)
class KnownAnswer:
    """A learner's cell with what should come of it.

    expected: "passed", "raised", "timed-out" or the name of a finding.
    passes_public: why the public cases cannot find it; "" where they must.
    """

    path: Path
    source: str
    expected: str
    passes_public: str = ""


def known_answers(place: Path, kind: str) -> list[KnownAnswer]:
    """The answers in `place`/`kind`, where kind is "accepted" or "wrong", in order of name.

    Raises CourseError for a wrong answer whose first lines do not say what it meets.
    """
    paths = sorted((place / kind).glob("*.py"))
    sources = {path: path.read_text(encoding="utf-8") for path in paths}
    if kind == "accepted":
        return [KnownAnswer(path, source, "passed") for path, source in sources.items()]
    return [
        KnownAnswer(path, source, _expected(path, source), _passes_public(path, source))
        for path, source in sources.items()
    ]


def missing_parts(place: Path) -> Iterator[str]:
    """The files that every exercise has and this one lacks."""
    for name in sorted(_PARTS - {"survivors.toml"}):
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
    raise CourseError(
        f"{path}: the first line must say what the answer meets: `# finding: NAME`, "
        f"or `# outcome: ` and one of {', '.join(_OUTCOMES)}."
    )


def _passes_public(path: Path, source: str) -> str:
    second = source.split("\n")[1] if "\n" in source else ""
    if not second.startswith(_PASSES_PUBLIC):
        return ""
    why = second.removeprefix(_PASSES_PUBLIC).strip()
    if not why:
        raise CourseError(f"{path}: say after `{_PASSES_PUBLIC}` why only grading can find it.")
    return why


def load_answer(source: str, name: str, filename: str) -> Callable[..., Any]:
    """Run a learner's cell and return the function `name` it defines.

    Raises CourseError if the cell does not run to its end, or defines no such name.
    """
    namespace: dict[str, Any] = {"__name__": "answer"}
    # Known to linecache, so that a report can quote the line that raised.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    try:
        exec(compile(source, filename, "exec"), namespace)
    except Exception as error:
        raise CourseError(f"{filename}: the cell does not run: {error!r}.") from error
    if name not in namespace:
        raise CourseError(f"{filename}: it must define `{name}`.")
    return namespace[name]
