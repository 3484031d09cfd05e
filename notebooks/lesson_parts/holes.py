"""The parts of the learner's program that lessons ask for, and the program between two lessons.

notebooks/project has the program as it is in the end, train.py and shapes.py, and in early.py what
stands in the place of a part until its lesson. A part keeps its name and its parameters for good.
"""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from course_utils.errors import CourseError
from course_utils.manifest import repository_root

FILES = ("train.py", "shapes.py")


@dataclass(frozen=True)
class Hole:
    """A function or class of `file` that the learner writes in the lesson of this number."""

    name: str
    lesson: str
    file: str = "train.py"


HOLES = (
    Hole("pick_device", "01"),
    Hole("train_epoch", "02"),
    Hole("ShapeNet", "03", "shapes.py"),
    Hole("take_cards", "06"),
    Hole("train_batch", "08"),
    Hole("batches_ahead", "09"),
    Hole("save", "10"),
    Hole("resume", "10"),
    Hole("start_ranks", "11"),
    Hole("batches_of", "11"),
)


def program(written: Mapping[str, str]) -> dict[str, str]:
    """The program's files, by name, in which only the parts named in `written` are not early.

    Args:
        written: for the name of a hole, the source of its function or class.

    Raises:
        CourseError: there is no hole of such a name.
    """
    unknown = written.keys() - {hole.name for hole in HOLES}
    if unknown:
        raise CourseError(f"train.py has no part called {', '.join(sorted(unknown))}.")
    texts = {file: _source(file) for file in FILES}
    final, early = _final(), parts(_source("early.py"))
    for hole in HOLES:
        text = written.get(hole.name, early[hole.name])
        texts[hole.file] = texts[hole.file].replace(final[hole.name], text.strip("\n"), 1)
    return texts


def after(lesson: str) -> dict[str, str]:
    """The program's files once the holes up to this lesson are filled as the course fills them."""
    final = _final()
    return program({hole.name: final[hole.name] for hole in HOLES if hole.lesson <= lesson})


def _final() -> dict[str, str]:
    """All parts of the program as it is in the end."""
    return {name: text for file in FILES for name, text in parts(_source(file)).items()}


def parts(source: str) -> dict[str, str]:
    """The text of each function and class of a file, by name, its decorators included."""
    lines = source.splitlines()
    found = {}
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            first = min(each.lineno for each in (node, *node.decorator_list))
            found[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
    return found


def _source(name: str) -> str:
    return Path(repository_root(), "notebooks", "project", name).read_text(encoding="utf-8")
