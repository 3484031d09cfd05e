"""Texts and notebooks: `build` makes notebooks, `absorb` makes texts, and neither loses an edit.

People review the text; the notebook is made from it. A lesson's text is one file; an assignment's
is assembled from its introduction and the folders of its exercises. The notebook's metadata
"course" has the hashes of both when they last agreed, so that an edit of either is detected.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode

from course_authoring import assembly
from course_authoring.conversion import (
    fingerprint,
    notebook_from_text,
    same_content,
    text_from_notebook,
)
from course_authoring.page_numbers import outdated_pages
from course_command.console import silent
from course_notebooks.safe_files import explained, put_beside, replace_file
from course_notebooks.source import read_built, source_notebook, write_notebook
from course_utils.checking.exercises import exercise_in
from course_utils.errors import CourseError
from course_utils.manifest import Assignment, Course, load_manifest
from course_utils.nearest import sentence, suggestion
from exercise_kit import known
from exercise_kit.truth import shipped

__all__ = ["FileChange", "absorb", "build", "notebook_from_text", "text_from_notebook"]

_NAME = re.compile(r"\d{2}_[a-z0-9_]+")
_EDITED = (
    "edited in JupyterLab since it was built; run `course absorb {0}`, "
    "or `course build --discard {0}` to drop those edits"
)
_CONFLICT = (
    "text and notebook both changed since they were built; the notebook's version is now in "
    "{1}; merge it into {0}.py and run `course build --discard {0}`, "
    "or use only the notebook's version with `course absorb --discard {0}`"
)


@dataclass(frozen=True)
class FileChange:
    """A change of one file; with `check`, a change that is needed."""

    name: str
    path: Path
    what: str

    def __str__(self) -> str:
        return f"{self.path}: {self.what}"


_Planned = tuple[FileChange, dict[Path, bytes]]
"""A change, and the files to write for it, by path."""


@dataclass(frozen=True)
class _Pair:
    """A lesson's text and notebook, and the names of its exercises."""

    name: str
    text: Path
    notebook: Path
    exercises: tuple[str, ...]

    def read(self) -> str:
        return _read(self.text)

    def files(self, text: str) -> dict[Path, str]:
        """The files to write so that `read` returns `text`."""
        return {self.text: text}


@dataclass(frozen=True)
class _AssignmentPair(_Pair):
    """An assignment's notebook, and its text: an introduction, `text`, and its exercises."""

    root: Path
    assignment: Assignment

    def read(self) -> str:
        return assembly.put_together(self.root, self.assignment)

    def files(self, text: str) -> dict[Path, str]:
        return assembly.taken_apart(self.root, self.assignment, text)


def build(
    root: Path,
    names: Sequence[str] | None = None,
    *,
    check: bool = False,
    discard: bool = False,
    doing: Callable[..., None] = silent,
) -> list[FileChange]:
    """Make the notebooks of the repository `root` from their texts; return the changes.

    The facts of known answers are computed again if answers have changed. The numbers in pages are
    always updated too.

    names: of lessons, assignments or exercises; all notebooks by default.
    check: write nothing, and report every outdated file instead.
    discard: drop edits made in a notebook since it was built. Without it, such a notebook is
        refused. A notebook that was only run does not count as edited.
    doing: called with the current step.

    Raises CourseError for a text that cannot become a notebook, an unknown name, or an edited
    notebook; then nothing has been written.
    """
    planned: list[_Planned] = []
    refused: list[FileChange] = []
    pairs = _pairs(root, names)
    planned += _known_cases(root, pairs, doing, check=check)
    for pair in pairs:
        doing(f"Building {pair.name}", brief=True)
        if not pair.text.exists():
            what = f"has no text; run `course absorb {pair.name}` to make it, or remove the file"
            refused.append(FileChange(pair.name, pair.notebook, what))
            continue
        built = _built(pair, pair.read())
        data = write_notebook(built)
        if not pair.notebook.exists():
            what = "created"
        elif _raw(pair.notebook) == data:
            continue
        else:
            what = "updated" if discard else _drift(pair, built)
        change = FileChange(pair.name, pair.notebook, what)
        if what == _EDITED.format(pair.name):
            refused.append(change)
        else:
            planned.append((change, {pair.notebook: data}))
    if course := _course(root):
        for page, content in outdated_pages(root, course):
            planned.append((FileChange(page.stem, page, "updated"), {page: content.encode()}))
    if check:
        return refused + [change for change, _ in planned]
    return _carry_out(planned, refused)


def absorb(
    root: Path,
    names: Sequence[str] | None = None,
    *,
    discard: bool = False,
    doing: Callable[..., None] = silent,
) -> list[FileChange]:
    """Copy edits made in JupyterLab back into the texts; return the changes.

    Cells that were added there get a slug from their first words. The notebook is then built again,
    without outputs.
    discard: drop edits made in a text since the last build.
    doing: called with the current step.

    Raises CourseError for an unknown name, a notebook that cannot be written as text, or if both
    text and notebook changed. Then only the notebook's version is written, next to the text, as
    NAME.from-notebook.py, for a manual merge.
    """
    planned: list[_Planned] = []
    refused: list[FileChange] = []
    for pair in _pairs(root, names):
        doing(f"Reading {pair.name}", brief=True)
        if not pair.notebook.exists():
            continue
        notebook = read_built(pair.notebook)
        if pair.text.exists() and not _edited(notebook):
            continue
        with _about(pair.notebook):
            text = text_from_notebook(notebook)
        if not pair.text.exists():
            what = "created"
        elif same_content(text, old := pair.read()):
            what, text = "up to date again", old
        elif discard or _sha256(old) == _stamp(notebook).get("text_sha256"):
            what = "absorbed"
        else:
            beside = put_beside(pair.text, "from-notebook", text.encode())
            what = _CONFLICT.format(pair.name, beside.name)
            refused.append(FileChange(pair.name, pair.text, what))
            continue
        with _about(pair.notebook):
            files = {path: part.encode() for path, part in pair.files(text).items()}
        files[pair.notebook] = write_notebook(_built(pair, text))
        planned.append((FileChange(pair.name, pair.text, what), files))
    absorbed = _carry_out(planned, refused)
    return absorbed + _carry_out([*_known_cases(root, _pairs(root, names), doing)], ())


def _known_cases(
    root: Path, pairs: Sequence[_Pair], doing: Callable[..., None], *, check: bool = False
) -> Iterator[_Planned]:
    """known.json of each exercise that is data, if its answers or cases have changed.

    Its content comes from running the answers; with `check`, it is left empty.
    """
    from course_utils.devices import current_lab, lab  # imports torch: lessons alone do not need it

    for exercise in (exercise_in(root, name) for pair in pairs for name in pair.exercises):
        is_there = (exercise.path / "cases.py").is_file()
        if not (exercise.is_data and is_there) or known.is_current(exercise.path):
            continue
        doing(f"Running the answers of {exercise.name}")
        if not check and exercise.observer.gpus != 0 and current_lab() is None:
            lab(gpus=4)
        content = b"" if check else shipped(exercise).encode()
        file = exercise.path / known.NAME
        yield FileChange(exercise.name, file, "updated"), {file: content}


def _pairs(root: Path, names: Sequence[str] | None) -> list[_Pair]:
    lessons, course = root / "notebooks", _course(root)
    files = [*lessons.glob("text/*.py"), *lessons.glob("*.ipynb")]
    tasks = {each.notebook: each.tasks for each in (course.lessons if course else ())}
    pairs = [
        _Pair(
            name,
            lessons / "text" / f"{name}.py",
            lessons / f"{name}.ipynb",
            tuple(each.name for each in tasks.get(name, ())),
        )
        for name in sorted({path.stem for path in files if _NAME.fullmatch(path.stem)})
    ]
    pairs += [
        _AssignmentPair(
            assignment.name,
            assembly.introduction(root, assignment),
            source_notebook(root, assignment),
            tuple(each.name for each in assignment.exercises),
            root,
            assignment,
        )
        for assignment in (course.assignments if course else ())
    ]
    wanted = _wanted(names or (), [pair.name for pair in pairs], course)
    return [pair for pair in pairs if not names or pair.name in wanted]


def _course(root: Path) -> Course | None:
    manifest = root / "course.toml"
    return load_manifest(manifest) if manifest.exists() else None


def _wanted(names: Sequence[str], known: Sequence[str], course: Course | None) -> set[str]:
    """The notebooks that `names` stand for. A new one may not be in the manifest yet."""
    wanted: set[str] = set()
    for name in names:
        if name in known:
            wanted.add(name)
        elif course is not None:
            wanted.update(course.find(name).notebooks)
        else:
            hint = suggestion(name, known)
            raise CourseError(sentence(f"There is no text and no notebook called {name}; {hint}"))
    return wanted


def _built(pair: _Pair, text: str) -> NotebookNode:
    """The notebook of `text`, stamped with the hashes of both."""
    with _about(pair.text):
        notebook = notebook_from_text(text)
    notebook.metadata["course"] = {
        "text_sha256": _sha256(text),
        "notebook_sha256": fingerprint(notebook),
    }
    return notebook


@contextmanager
def _about(path: Path) -> Iterator[None]:
    """A context in which the message of a CourseError begins with `path`."""
    try:
        yield
    except CourseError as error:
        raise CourseError(f"{path}: {error}") from error


def _drift(pair: _Pair, built: NotebookNode) -> str:
    """Why the notebook on disk differs from the one just built, in words."""
    found = read_built(pair.notebook)
    if fingerprint(found) == fingerprint(built):
        return "restored to its canonical form, without outputs"
    return _EDITED.format(pair.name) if _edited(found) else "updated"


def _edited(notebook: NotebookNode) -> bool:
    return _stamp(notebook).get("notebook_sha256") != fingerprint(notebook)


def _stamp(notebook: NotebookNode) -> dict[str, Any]:
    stamp = notebook.metadata.get("course")
    return stamp if isinstance(stamp, dict) else {}


def _carry_out(planned: Sequence[_Planned], refused: Sequence[FileChange]) -> list[FileChange]:
    """Write the planned files, text before notebook, unless a change was refused."""
    if refused:
        raise CourseError("\n".join(f"{change}." for change in refused))
    for _, files in planned:
        for path, data in files.items():
            replace_file(path, data)
    return [change for change, _ in planned]


def _read(path: Path) -> str:
    try:
        return _raw(path).decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise CourseError(f"{path} is not UTF-8. Save it in that encoding.") from error


def _raw(path: Path) -> bytes:
    with explained(path):
        return path.read_bytes()


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
