"""Deliver the course's files into a learner's workspace, without changing the learner's work."""

import os
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from string import Template

from course_notebooks.safe_files import alone, create_file, explained, put_beside, replace_file
from course_notebooks.source import source_notebook
from course_utils.errors import CourseError
from course_utils.manifest import Course, Lesson, load_manifest
from course_utils.program.holes import early
from course_workspace.deliveries import DeliveredFile, Deliveries, Version, sha256
from course_workspace.files import (
    NEW,
    OLD,
    assignment_file,
    lesson_file,
    pages,
    same_work,
    title_of,
)
from course_workspace.program.filling import FOLDER, begin


@dataclass
class WorkspaceReport:
    """The files that `prepare` changed. The paths are relative to the workspace.

    created: delivered for the first time.
    restored: deleted by the learner, and delivered again.
    replaced: by the new version, since the learner had written nothing in them.
    beside: new versions next to a file in which the learner wrote.
    kept: already delivered, and not changed.
    broken: copies of an unreadable record of deliveries.
    notes: sentences about the learner's program.
    """

    workspace: Path
    created: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """A sentence for each changed file; empty if there was nothing to do.

        The new versions next to a learner's files are listed by `start.news`.
        """
        changes = (
            (self.created, "created"),
            (self.restored, "restored, since it was missing"),
            (self.replaced, "replaced by the new version, since you had written nothing in it"),
            (self.broken, "a copy of the record of deliveries, which could not be read"),
        )
        lines = [f"{path}: {what}." for paths, what in changes for path in paths]
        return [*lines, *filter(None, self.notes)]


@dataclass(frozen=True)
class _Original:
    """A file to deliver: unchanged, or the notebook `assignment` as nbgrader releases it."""

    path: str
    data: bytes
    assignment: Path | None = None

    @property
    def sha256(self) -> str:
        return sha256(self.data)

    def content(self) -> bytes:
        if self.assignment is None:
            return self.data
        # nbgrader takes seconds to import, and is only needed when an assignment has changed.
        from course_notebooks.release import released_notebook
        from course_notebooks.source import write_notebook

        return write_notebook(released_notebook(self.assignment))


def prepare(root: Path, workspace: Path) -> WorkspaceReport:
    """Create or refresh a workspace from the repository `root`.

    Every file is delivered once. If it has changed since, a copy in which the learner wrote nothing
    is replaced by the new version. Next to any other copy, the new version is put once, with the
    learner's work in it.

    Raises CourseError if the repository lacks a notebook, if an assignment cannot be released, or
    if the workspace cannot be written. The next run then continues with the files still to deliver.
    """
    if workspace.resolve() == root.resolve():
        raise CourseError(f"{workspace} is the course itself. Choose another folder to work in.")
    report = WorkspaceReport(workspace)
    with alone(workspace):
        record = Deliveries.read(workspace)
        if record.broken:
            report.broken.append(record.broken)
        for original in _originals(root):
            before = deepcopy(record.entry(original.path))
            _deliver(root, original, record, report)
            if record.entry(original.path) != before:
                record.write()
        if program := _program(root):
            written = {*report.created, *report.restored, *report.replaced}
            names = [name for name in program if f"{FOLDER}/{name}" in written]
            report.notes.append(begin(workspace, program, names))
    return report


def _originals(root: Path) -> Iterator[_Original]:
    course = load_manifest(root / "course.toml")
    yield _Original("START_HERE.md", start_here(root).encode())
    for lesson in course.lessons:
        source = root / "notebooks" / f"{lesson.notebook}.ipynb"
        yield _Original(lesson_file(lesson), _read_source(source))
    for page in sorted((root / "notebooks").glob("*.md")):
        yield _Original(f"lessons/{page.name}", _read_source(page))
    for name, text in _program(root).items():
        yield _Original(f"{FOLDER}/{name}", text.encode())
    for assignment in course.assignments:
        source = source_notebook(root, assignment)
        yield _Original(assignment_file(assignment), _read_source(source), source)


def _program(root: Path) -> dict[str, str]:
    """The first version of the learner's program; empty if the course has none."""
    return early(root) if (root / "notebooks" / "project" / "early.py").exists() else {}


def _read_source(path: Path) -> bytes:
    if not path.exists():
        raise CourseError(f"{path} is missing. Run `course build {path.stem}` to make it.")
    with explained(path):
        return path.read_bytes()


def _deliver(root: Path, original: _Original, record: Deliveries, report: WorkspaceReport) -> None:
    """Deliver `original` into the workspace, unless this version was delivered before."""
    path, target = original.path, report.workspace / original.path
    entry, is_there = record.entry(path), os.path.lexists(target)
    known = [each for each in (entry.copy, *entry.beside) if each]
    for version in known:
        if is_there and version.original == original.sha256:
            if not record.has_kept(version.content):
                record.keep(original.content())
            report.kept.append(path)
            return
    content = original.content()
    version = Version(original.sha256, record.keep(content))
    present = _read_copy(target)
    base = None if present is None else record.base(path, present)
    if not is_there:
        old = "" if known else _former_path(root, path)
        former = _read_copy(report.workspace / old) if old else None
        if former is not None:
            base = record.base(old, former)
            content, words, more = _with_work(root, record, old, former, base, content)
            report.notes.append(f"{path}: {words} in {old}, which stays as it is. {more}".strip())
        create_file(target, content)
        record.entries[path] = DeliveredFile(version, known, entry.new, entry.told)
        (report.restored if known else report.created).append(path)
    elif present is not None and same_work(present, content):
        entry.copy = version
        report.kept.append(path)
    elif present is not None and base is not None and same_work(present, base):
        if present != base:  # it was run: unchanged cells keep their outputs
            content = _with_work(root, record, path, present, base, content)[0]
        replace_file(target, content)
        record.entries[path] = DeliveredFile(version)
        report.replaced.append(path)
    else:
        content, words, more = _with_work(root, record, path, present, base, content)
        file = put_beside(target, NEW, content)
        entry.beside.append(version)
        entry.new = file.relative_to(report.workspace).as_posix()
        entry.told = _message(title_of(root, path), target.name, file.name, words, more)
        report.beside.append(entry.new)


def _former_path(root: Path, path: str) -> str:
    """The path of a notebook in an earlier version, where it had another name; otherwise ""."""
    renamed, name = load_manifest(root / "course.toml").renamed, Path(path).stem
    return next((path.replace(new, old) for old, new in renamed.items() if new == name), "")


def _with_work(
    root: Path,
    record: Deliveries,
    path: str,
    present: bytes | None,
    base: bytes | None,
    content: bytes,
) -> tuple[bytes, str, str]:
    from course_workspace.carried import with_work  # it takes a while to import

    renamed = load_manifest(root / "course.toml").renamed
    return with_work(record.workspace, path, present, base, content, renamed)


def _message(title: str, name: str, new: str, words: str, more: str) -> str:
    """The message about a new version that was put next to a learner's file."""
    stem, _, kind = name.rpartition(".")
    return (
        f"{title} has a new version: {new}, {words}. Your {name} is unchanged. To use the new one, "
        f"rename {name} to {stem}.{OLD}.{kind}, then {new} to {name}.{more and ' '}{more}"
    )


def _read_copy(target: Path) -> bytes | None:
    """The learner's copy; None if its path is a link or a folder."""
    if target.is_symlink() or not target.is_file():
        return None
    with explained(target):
        return target.read_bytes()


def start_here(root: Path) -> str:
    """START_HERE.md: the start page of a workspace without our JupyterLab extension.

    Markdown with a link to every lesson, assignment and page, and to the program.
    """
    course = load_manifest(root / "course.toml")
    template = Path(__file__).with_name("start_here.md").read_text(encoding="utf-8")
    return Template(template).substitute(
        title=course.title,
        path="\n".join(_row(course, lesson) for lesson in course.lessons),
        pages=", ".join(f"[{title}]({path})" for title, path in pages(root)),
    )


def _row(course: Course, lesson: Lesson) -> str:
    assignment = ""
    if lesson.assignment:
        described = course.assignment(lesson.assignment)
        assignment = (
            f"[{described.name}]({assignment_file(described)}): "
            f"{len(described.exercises)} exercises, {described.points} points"
        )
    cells = (
        lesson.number,
        f"[{lesson.title}]({lesson_file(lesson)})",
        lesson.goal,
        lesson.time,
        assignment,
    )
    return f"| {' | '.join(cells)} |"
