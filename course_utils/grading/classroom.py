"""A class of submissions made of the known answers, with the grades that they must get.

What each known answer meets, `course verify` proves; here is what only the road can show.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_utils.authoring.assembly import folder
from course_utils.authoring.corpus import known_answers
from course_utils.checking.reference import reference
from course_utils.manifest import Assignment

SYNTAX_ERROR = "def broken(:\n    return\n"
ENDLESS_LOOP = "while True:\n    pass\n"
_NOISE = (
    "import logging, sys, warnings\n"
    "print('called with', arguments)\n"
    "print('many lines\\n' * 5000)\n"
    "warnings.warn('this goes to stderr')\n"
    "print('this as well', file=sys.stderr)\n"
    "logging.warning('and this')\n"
)


@dataclass(frozen=True)
class Submission:
    """What one student hands in.

    cells: the text of solution cells, by exercise; the others stay as released.
    dropped: the grade_ids of cells that the student deleted.
    right: the exercises that must get their points; every other one must get 0.
    """

    student: str
    cells: Mapping[str, str]
    right: frozenset[str]
    dropped: frozenset[str] = field(default_factory=frozenset)

    def fill_in(self, released: NotebookNode) -> NotebookNode:
        """The released notebook as this student hands it in."""
        notebook = nbformat.from_dict(released)
        kept = []
        for cell in notebook.cells:
            grade_id = cell.metadata.get("nbgrader", {}).get("grade_id")
            if grade_id in self.dropped:
                continue
            cell.source = self.cells.get(grade_id, cell.source)
            kept.append(cell)
        notebook.cells = kept
        return notebook

    def expected_grades(self, assignment: Assignment) -> dict[str, int]:
        """Points by exercise."""
        return {
            exercise.short: exercise.points if exercise.short in self.right else 0
            for exercise in assignment.exercises
        }


def make_class(root: Path, assignment: Assignment, *, accidents: bool = True) -> list[Submission]:
    """All right, all wrong, a right one that makes a noise; and the accidents of a real class."""
    folders = {exercise.short: folder(root, exercise) for exercise in assignment.exercises}
    names = list(folders)
    right = {name: reference(place) for name, place in folders.items()}
    accepted, wrong = (
        {name: known_answers(place, kind)[0].source for name, place in folders.items()}
        for kind in ("accepted", "wrong")
    )
    every = frozenset(names)
    plain = [
        Submission("full", right, every),
        Submission("wrong", wrong, frozenset()),
        Submission("noisy", {name: right[name] + _noisy(name) for name in names}, every),
    ]
    if not accidents:
        return plain
    first, second, *rest = names
    half = names[: len(names) // 2]
    return [
        *plain,
        Submission("accepted", accepted, every),
        Submission("partial", {name: right[name] for name in half}, frozenset(half)),
        Submission("empty", {}, frozenset()),
        Submission("syntax_error", right | {first: SYNTAX_ERROR}, every - {first}),
        Submission("endless_loop", right | {second: ENDLESS_LOOP}, every - {second}),
        Submission("lost_check", right, every, frozenset({f"{first}_check"})),
        Submission("lost_answer", right, every - {rest[-1]}, frozenset({rest[-1]})),
    ]


def _noisy(name: str) -> str:
    """A right answer that prints its inputs and thousands of lines each time it is called."""
    indented = "".join(f"    {line}\n" for line in _NOISE.splitlines())
    return (
        f"\n\n_quiet_{name} = {name}\n\n"
        f"import functools, logging\n"
        f"logging.basicConfig()\n"
        f"@functools.wraps(_quiet_{name})\n"
        f"def {name}(*arguments):\n{indented}    return _quiet_{name}(*arguments)\n"
    )
