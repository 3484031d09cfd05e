"""A learner's workspace: copies to work in, refreshed without ever touching a learner's file."""

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from course_utils.authoring.files import create_file, explained, free_path, replace_file
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest

_RECORD = ".course/delivered.json"
_START_HERE = """\
# Start here

1. Run `course lab`: JupyterLab opens in this folder, with or without a GPU.
2. Run `lessons/`, in order. Help: [terms](lessons/glossary.md) and [errors](lessons/errors.md).
3. Then open the assignment of the same number in `assignments/` and write your answers.
4. `check(...)` tells you how you are doing, `hint(...)` helps, `check(..., seed=1)` tries more.
5. Lessons end with `project/NN/train.py`: yours to change and run.
6. These files are yours. A newer version arrives beside yours, as `NAME.new.ipynb`.
"""


@dataclass
class WorkspaceReport:
    """What `prepare` did. The paths are relative to the workspace.

    created: delivered for the first time.
    restored: delivered before, deleted since, and delivered again.
    beside: new versions, put beside a file of the learner's.
    kept: already there, and left alone.
    broken: copies of an unreadable record of deliveries.
    """

    workspace: Path
    created: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """What a learner should know, one sentence a file; empty if there was nothing to do."""
        told = (
            (self.created, "created"),
            (self.restored, "restored, since it was missing"),
            (self.beside, "a new version, put beside your own file, which was left alone"),
            (self.broken, "a copy of the record of deliveries, which could not be read"),
        )
        return [f"{path}: {what}." for paths, what in told for path in paths]


@dataclass(frozen=True)
class _Original:
    """A file to deliver as it is, or as nbgrader releases the notebook `assignment`."""

    path: str
    data: bytes
    assignment: Path | None = None

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()

    def content(self) -> bytes:
        if self.assignment is None:
            return self.data
        # nbgrader takes seconds to import, and is only needed when an assignment has changed.
        import nbformat

        from course_utils.authoring.release import released_notebook

        return (nbformat.writes(released_notebook(self.assignment)) + "\n").encode()


def prepare(root: Path, workspace: Path) -> WorkspaceReport:
    """Create or refresh a workspace out of the repository `root`.

    Every original is delivered once. If it has changed since, the new version arrives beside
    the learner's copy, and only once, even if that copy looks untouched.

    Raises CourseError if the repository lacks a notebook, if an assignment cannot be released,
    or if the workspace cannot be written; what was delivered until then stays, and a second
    run goes on from there.
    """
    if workspace.resolve() == root.resolve():
        raise CourseError(f"{workspace} is the course itself: choose another folder to work in.")
    report = WorkspaceReport(workspace)
    delivered = _read_record(report)
    for original in _originals(root):
        versions = delivered.setdefault(original.path, [])
        _deliver(original, versions, report)
        if original.sha256 not in versions:
            versions.append(original.sha256)
            _write_record(workspace, delivered)
    return report


def _originals(root: Path) -> Iterator[_Original]:
    course = load_manifest(root / "course.toml")
    yield _Original("START_HERE.md", _START_HERE.encode())
    for lesson in course.lessons:
        source = root / "notebooks" / f"{lesson.notebook}.ipynb"
        yield _Original(f"lessons/{source.name}", _read_source(source))
    for page in sorted((root / "notebooks").glob("*.md")):
        yield _Original(f"lessons/{page.name}", _read_source(page))
    for program in sorted((root / "notebooks" / "project").glob("*/train.py")):
        yield _Original(f"project/{program.parent.name}/train.py", _read_source(program))
    for assignment in course.assignments:
        name = assignment.name
        source = root / "assignments" / "source" / name / f"{name}.ipynb"
        yield _Original(f"assignments/{name}/{source.name}", _read_source(source), source)


def _read_source(path: Path) -> bytes:
    if not path.exists():
        raise CourseError(f"{path} is missing: run `course build {path.stem}` to make it.")
    with explained(path):
        return path.read_bytes()


def _deliver(original: _Original, versions: list[str], report: WorkspaceReport) -> None:
    """Put `original` into the workspace, unless this version of it was delivered before."""
    target = report.workspace / original.path
    if not os.path.lexists(target):
        create_file(target, original.content())
        (report.restored if versions else report.created).append(original.path)
    elif original.sha256 in versions or _is_there(target, original.content()):
        report.kept.append(original.path)
    else:
        beside = free_path(target, "new")
        create_file(beside, original.content())
        report.beside.append(beside.relative_to(report.workspace).as_posix())


def _is_there(target: Path, content: bytes) -> bool:
    """Was `content` delivered by a run that ended before it could say so?"""
    candidates = [target, *target.parent.glob(f"{target.stem}.new*{target.suffix}")]
    with explained(target):
        return any(path.is_file() and path.read_bytes() == content for path in candidates)


def _read_record(report: WorkspaceReport) -> dict[str, list[str]]:
    """The versions delivered so far, by path. A record that is no use is kept under a new name."""
    path = report.workspace / _RECORD
    if not os.path.lexists(path):
        return {}
    with explained(path):
        data = path.read_bytes()
    try:
        return _versions(json.loads(data))
    except ValueError:
        copy = free_path(path, "broken")
        create_file(copy, data)
        report.broken.append(copy.relative_to(report.workspace).as_posix())
        return {}


def _versions(record: Any) -> dict[str, list[str]]:
    """The part of a record that matters. Raises ValueError if it is not a record of ours."""
    match record:
        case {"version": 1, "files": dict(files)}:
            if all(isinstance(versions, list) for versions in files.values()):
                return files
    raise ValueError("not a record of deliveries")


def _write_record(workspace: Path, delivered: dict[str, list[str]]) -> None:
    record = {"version": 1, "files": delivered}
    replace_file(workspace / _RECORD, (json.dumps(record, indent=1) + "\n").encode())
