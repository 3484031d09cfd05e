"""A smallest course, of one lesson and one assignment, and a learner's copies."""

import shutil
from collections.abc import Callable
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from course_authoring.conversion import notebook_from_text
from course_authoring.text import build
from course_notebooks.matching import grade_id
from course_utils.manifest import repository_root

MANIFEST = """\
[course]
title = "A course"
version = "0.1"
language = "en"
[[lessons]]
number = "02"
name = "foo_lesson"
title = "Foo"
goal = "do foo"
minutes = 75
prerequisites = []
assignment = "02_foo"
concepts = []
errata = []
[[assignments]]
name = "02_foo"
title = "Foo"
lesson = "02"
"""
EXERCISE = """\
[[assignments.exercises]]
name = "foo.{0}"
title = "{0}"
map = "X2.1"
kind = "write"
points = {1}
minutes = 10
"""
LESSON = """\
# %% [markdown] {"slug": "title"}
# # Foo

# %% {"slug": "one"}
x = 1

# %% [markdown] {"slug": "between"}
# Between.

# %% {"slug": "two"}
y = 2
"""
LESSON_FILE, ASSIGNMENT_FILE = "lessons/02_foo_lesson.ipynb", "assignments/02_foo/02_foo.ipynb"
PROGRAM = "project/train.py"


class Author:
    """An author, who writes the course in `root`."""

    def __init__(self, root: Path) -> None:
        self.root = root
        (root / "notebooks/text").mkdir(parents=True)
        self.assignment("double", "triple")
        self.lesson(LESSON)
        (root / "notebooks/project").mkdir()
        for name in ("train.py", "shapes.py", "early.py"):
            shutil.copy(repository_root() / "notebooks/project" / name, root / "notebooks/project")

    def lesson(self, text: str) -> None:
        (self.root / "notebooks/text/02_foo_lesson.py").write_text(text)
        build(self.root, ["02_foo_lesson"])

    def assignment(self, *names: str, text: str = "", **stubs: str) -> None:
        """An assignment of the exercises `names`; stubs: the starting texts of some of them."""
        exercises = "".join(EXERCISE.format(name, 4) for name in names)
        (self.root / "course.toml").write_text(MANIFEST + exercises)
        source = self.root / "assignments/source/02_foo/02_foo.ipynb"
        source.parent.mkdir(parents=True, exist_ok=True)
        cells = [
            '# %% [markdown] {"slug": "title"}\n# # Foo',
            '# %% {"slug": "setup"}\nimport math',
        ]
        for name in names:
            stub = stubs.get(name) or (
                f'def {name}(x):\n    """The {name} of x."""\n'
                "    ### BEGIN SOLUTION\n    secret = x\n    return secret\n"
                "    ### END SOLUTION"
            )
            task = text or f"The {name} of a number."
            cells += [
                f"# %% [markdown] {_nbgrader(f'{name}_task', locked=True)}\n# {task}",
                f"# %% {_nbgrader(name, solution=True)}\n{stub}",
                f'# %% {{"slug": "{name}_try"}}\n# {name}(7)',
                f"# %% {_nbgrader(f'{name}_check', locked=True, points=4)}\n"
                f'check("foo.{name}", {name})',
            ]
        source.write_text(nbformat.writes(notebook_from_text("\n\n".join(cells) + "\n")))

    def calls(self, old: str, new: str) -> None:
        """From this version on, a part of the course has another name."""
        with (self.root / "course.toml").open("a") as manifest:
            manifest.write(f'[[renamed]]\nold = "{old}"\nnew = "{new}"\n')


class Learner:
    """A learner, who works in a workspace."""

    def __init__(self, workspace: Path) -> None:
        self.workspace = workspace

    def read(self, path: str = ASSIGNMENT_FILE) -> NotebookNode:
        return nbformat.read(self.workspace / path, as_version=4)

    def save(self, notebook: NotebookNode, path: str = ASSIGNMENT_FILE) -> None:
        (self.workspace / path).write_text(nbformat.writes(notebook) + "\n")

    def write(self, name: str, source: str, path: str = ASSIGNMENT_FILE) -> None:
        """Replace the text of a cell."""
        notebook = self.read(path)
        cell(notebook, name).source = source
        self.save(notebook, path)

    def text(self, name: str, path: str = ASSIGNMENT_FILE) -> str:
        return cell(self.read(path), name).source

    def texts(self, path: str = ASSIGNMENT_FILE) -> list[str]:
        return [each.source for each in self.read(path).cells]

    def former(self, path: str = ASSIGNMENT_FILE) -> list[bytes]:
        """The contents of a file's old versions, which commands have kept."""
        file = self.workspace / path
        found = sorted(file.parent.glob(f"{file.stem}.old*{file.suffix}"))
        return [each.read_bytes() for each in found]

    def forget(self) -> None:
        """Delete the record of delivered files."""
        shutil.rmtree(self.workspace / ".course")


def cell(notebook: NotebookNode, name: str) -> NotebookNode:
    return next(each for each in notebook.cells if name in (grade_id(each), each.get("id")))


def failing_at(number: int, error: BaseException) -> Callable[[int], None]:
    """A replacement for `os.fsync` whose call of that number fails."""
    calls = iter(range(1, 1_000))

    def fsync(_: int) -> None:
        if next(calls) == number:
            raise error

    return fsync


def answer(name: str, text: str = "x + x") -> str:
    return f"def {name}(x):\n    return {text}"


def _nbgrader(name: str, *, locked: bool = False, solution: bool = False, points: int = 0) -> str:
    flags = {"grade": bool(points), "locked": locked, "solution": solution, "task": False}
    parts = [f'"{flag}": {str(value).lower()}' for flag, value in flags.items()]
    parts += [f'"grade_id": "{name}"', '"schema_version": 3']
    parts += [f'"points": {points}'] if points else []
    return f'{{"nbgrader": {{{", ".join(parts)}}}}}'
