"""A learner's workspace: copies to work in, refreshed without touching what a learner wrote."""

import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from course_utils.authoring.files import create_file, explained, replace_file
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from course_utils.workspace.backups import back_up
from course_utils.workspace.files import assignment_file, lesson_file
from course_utils.workspace.lock import alone
from course_utils.workspace.record import Entry, Record, Version, sha256
from course_utils.workspace.same import same_work
from course_utils.workspace.start_here import start_here


@dataclass
class WorkspaceReport:
    """What `prepare` did. The paths are relative to the workspace.

    created: delivered for the first time.
    restored: delivered before, deleted since, and delivered again.
    replaced: nothing was written in them, so they are the new version now.
    pending: a new version is there, and waits, since the learner wrote in the copy.
    put_away: new versions that an older course put beside a copy, and that nobody wrote in.
    beside: such versions that somebody wrote in.
    kept: already there, and left alone.
    broken: copies of an unreadable record of deliveries.
    """

    workspace: Path
    created: list[str] = field(default_factory=list)
    restored: list[str] = field(default_factory=list)
    replaced: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    put_away: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)

    def lines(self) -> list[str]:
        """What a learner should know, one sentence a file; empty if there was nothing to do.

        What is pending, `update.pending` tells.
        """
        told = (
            (self.created, "created"),
            (self.restored, "restored, since it was missing"),
            (self.replaced, "the new version, since you had written nothing in the old one"),
            (self.put_away, "put into .course/backups, since you had written nothing in it"),
            (
                self.beside,
                "you wrote in it, but only the file without “.new” is handed in: copy "
                "over what you need, then delete it",
            ),
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
        return sha256(self.data)

    def content(self) -> bytes:
        if self.assignment is None:
            return self.data
        # nbgrader takes seconds to import, and is only needed when an assignment has changed.
        from course_utils.authoring.release import released_notebook
        from course_utils.workspace.notebooks import write_notebook

        return write_notebook(released_notebook(self.assignment))


def prepare(root: Path, workspace: Path) -> WorkspaceReport:
    """Create or refresh a workspace out of the repository `root`.

    Every original is delivered once. If it has changed since, a copy in which nothing was written
    becomes the new version; any other is left alone, and the new version waits for
    `course update`.

    Raises CourseError if the repository lacks a notebook, if an assignment cannot be released,
    or if the workspace cannot be written; what was delivered until then stays, and a second
    run goes on from there.
    """
    if workspace.resolve() == root.resolve():
        raise CourseError(f"{workspace} is the course itself: choose another folder to work in.")
    report = WorkspaceReport(workspace)
    with alone(workspace):
        record = Record.read(workspace)
        if record.broken:
            report.broken.append(record.broken)
        for original in _originals(root):
            before = record.entry(original.path).to_json()
            _deliver(original, record, report)
            _put_away(original, record, report)
            if record.entry(original.path).to_json() != before:
                record.write()
    return report


def _originals(root: Path) -> Iterator[_Original]:
    course = load_manifest(root / "course.toml")
    yield _Original("START_HERE.md", start_here(root).encode())
    for lesson in course.lessons:
        source = root / "notebooks" / f"{lesson.notebook}.ipynb"
        yield _Original(lesson_file(lesson), _read_source(source))
    for page in sorted((root / "notebooks").glob("*.md")):
        yield _Original(f"lessons/{page.name}", _read_source(page))
    for program in sorted((root / "notebooks" / "project").glob("*/train.py")):
        yield _Original(f"project/{program.parent.name}/train.py", _read_source(program))
    for assignment in course.assignments:
        name = assignment.name
        source = root / "assignments" / "source" / name / f"{name}.ipynb"
        yield _Original(assignment_file(assignment), _read_source(source), source)


def _read_source(path: Path) -> bytes:
    if not path.exists():
        raise CourseError(f"{path} is missing: run `course build {path.stem}` to make it.")
    with explained(path):
        return path.read_bytes()


def _deliver(original: _Original, record: Record, report: WorkspaceReport) -> None:
    """Bring `original` into the workspace, unless this version of it is known there."""
    target, entry = report.workspace / original.path, record.entry(original.path)
    if not os.path.lexists(target):
        content = original.content()
        known = entry != Entry()
        version = Version(original.sha256, record.keep(content))
        create_file(target, content)
        record.entries[original.path] = Entry(version, earlier=entry.earlier)
        (report.restored if known else report.created).append(original.path)
    elif entry.copy and entry.copy.original == original.sha256:
        entry.pending = None  # the course went back to what the learner has
        if not record.has_kept(entry.copy.content):
            record.keep(original.content())
        report.kept.append(original.path)
    elif entry.pending and entry.pending.original == original.sha256:
        if not record.has_kept(entry.pending.content):
            record.keep(original.content())
        report.pending.append(original.path)
    else:
        _bring_new_version(original, record, report)


def _bring_new_version(original: _Original, record: Record, report: WorkspaceReport) -> None:
    target, entry = report.workspace / original.path, record.entry(original.path)
    content = original.content()
    version = Version(original.sha256, record.keep(content))
    present = _read_copy(target)
    if present is not None and same_work(present, content):
        report.kept.append(original.path)
    elif entry.earlier == (original.sha256,) and not entry.copy:
        report.kept.append(original.path)  # an older course delivered this very version
    elif present is not None and _is_untouched(present, original.path, record):
        if sha256(present) != (entry.copy and entry.copy.content):  # it was run
            back_up(record, "deliver", {original.path: (present, content)})
        replace_file(target, content)
        report.replaced.append(original.path)
    else:
        entry.pending = version
        report.pending.append(original.path)
        return
    record.entries[original.path] = Entry(version, earlier=entry.earlier)


def _read_copy(target: Path) -> bytes | None:
    """The learner's copy; None where a link or a folder stands in its place."""
    if target.is_symlink() or not target.is_file():
        return None
    with explained(target):
        return target.read_bytes()


def _is_untouched(present: bytes, path: str, record: Record) -> bool:
    """Has nobody written anything in a copy? Running it is not writing."""
    if sha256(present) in record.entry(path).earlier:
        return True
    base = record.base(path)
    return base is not None and same_work(present, base)


def _put_away(original: _Original, record: Record, report: WorkspaceReport) -> None:
    """What an older course put beside a copy: nbgrader would pass over it, without a grade."""
    target, entry = report.workspace / original.path, record.entry(original.path)
    for beside in sorted(target.parent.glob(f"{target.stem}.new*{target.suffix}")):
        path, present = beside.relative_to(report.workspace).as_posix(), _read_copy(beside)
        if present is None:
            continue
        known = filter(None, (entry.copy, entry.pending))
        contents = filter(None, (record.kept(version.content) for version in known))
        if sha256(present) in entry.earlier or any(same_work(present, each) for each in contents):
            back_up(record, "deliver", {path: (present, b"")})
            record.entries.pop(path, None)
            with explained(beside):
                beside.unlink()
            report.put_away.append(path)
        elif target.suffix == ".ipynb":
            report.beside.append(path)
