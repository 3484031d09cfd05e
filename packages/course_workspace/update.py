"""`course update`: new versions of the course, merged with what the learner wrote."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path

from merge3 import Merge3

from course_notebooks.safe_files import alone, put_beside, replace_file
from course_notebooks.source import write_notebook
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest
from course_workspace.backups import Backup, back_up, latest, mark_as_put_back
from course_workspace.deliveries import DeliveredFile, Deliveries, Version, sha256
from course_workspace.files import (
    assignment_file,
    files_called,
    lesson_file,
    read_copy,
    require_unsaved,
)
from course_workspace.mend import RELOAD
from course_workspace.merge import merge
from course_workspace.notebooks import read_notebook

_WHAT = "update"
_RELOAD = RELOAD.replace("it is", "one of them is")


@dataclass(frozen=True)
class PlannedUpdate:
    """What an update would make of a file.

    before, after: its bytes.
    beside: what is put beside it, where the changes cannot be merged into it.
    """

    path: str
    before: bytes
    after: bytes
    version: Version
    words: str
    notes: tuple[str, ...] = ()
    beside: bytes = b""

    def diff(self) -> Iterator[str]:
        """The differences, line by line; of notebooks those of the cells' texts."""
        before, after = (_text_of(self.path, data) for data in (self.before, self.after))
        return (
            line.rstrip("\n")
            for line in unified_diff(
                before, after, f"{self.path} (yours)", f"{self.path} (updated)"
            )
        )


def pending(root: Path, workspace: Path) -> list[str]:
    """A sentence for each new version that waits for `course update`, as `prepare` noted it.

    A file that cannot be read or merged is left out: `course update` says what is wrong with it.
    """
    record, found = _settled(workspace), []
    for path, entry in record.entries.items():
        if entry.pending:
            try:
                words = _change(record, path, entry.pending).words
            except CourseError:
                continue
            name = Path(path).stem if path.endswith(".ipynb") else path
            found.append(
                f"{_title(root, path)}, a new version: {words} `course update {name}` in a "
                "terminal brings it in."
            )
    return found


def plan(root: Path, workspace: Path, names: Sequence[str] = ()) -> list[PlannedUpdate]:
    """What an update would do: of the files that `names` stand for, or of all.

    Raises CourseError if a name is unknown, or a file cannot be read.
    """
    record = _settled(workspace)
    wanted = {path for name in names for path in files_called(root, workspace, name)}
    return [
        _change(record, path, entry.pending)
        for path, entry in record.entries.items()
        if entry.pending and (not names or path in wanted)
    ]


def update(workspace: Path, changes: Collection[PlannedUpdate]) -> list[str]:
    """Carry out what was planned, after a backup. Says in sentences what was done.

    Raises CourseError, and changes nothing, if a file was saved since; if a file cannot be written,
    those before it are done, and a second run goes on from there.
    """
    with alone(workspace):
        record = _settled(workspace)
        for change in changes:
            require_unsaved(workspace, change.path, change.before)
        # What is put beside a file does not change it, so nobody could tell from it what was done.
        after = {each.path: b"" if each.beside else each.after for each in changes}
        files = {each.path: (each.before, after[each.path]) for each in changes}
        backup = back_up(record, _WHAT, files)
        for change in changes:
            target = workspace / change.path
            if change.beside:
                put_beside(target, "from_course", change.beside)
            if change.after != change.before:
                replace_file(target.resolve(), change.after)
            record.entries[change.path] = DeliveredFile(change.version)
            record.write()
    kept = backup.folder.relative_to(workspace).as_posix()
    return [
        f"Updated: {', '.join(change.path for change in changes)}.",
        f"Your former state is in {kept}; `course update --undo` puts it back.",
        _RELOAD,
    ]


def last_update(workspace: Path) -> Backup:
    """The update that `undo` would undo. Raises CourseError if there is none."""
    backup = latest(workspace, _WHAT)
    if backup is None:
        raise CourseError("There is no update to undo.")
    return backup


def written_since(workspace: Path, backup: Backup) -> list[str]:
    """The files that have changed since an update."""
    return [
        path
        for path, after in backup.after.items()
        if (workspace / path).is_file()
        and sha256(read_copy(workspace, path)) not in (after, sha256(backup.read(path)))
    ]


def undo(workspace: Path, backup: Backup) -> list[str]:
    """Put back what stood there before an update. What stands there now is kept, too."""
    with alone(workspace):
        record = Deliveries.read(workspace)
        former = {path: backup.read(path) for path in backup.entries}
        present = {
            path: (read_copy(workspace, path), data)
            for path, data in former.items()
            if (workspace / path).is_file()
        }
        kept = back_up(record, "undo", present).folder.relative_to(workspace).as_posix()
        for path, data in former.items():
            replace_file((workspace / path).resolve(), data)
            record.entries[path] = backup.entries[path]
            record.write()
        mark_as_put_back(backup)
    return [f"Put back: {', '.join(former)}. What stood there is in {kept}.", _RELOAD]


def _settled(workspace: Path) -> Deliveries:
    """The record, also of an update that was killed after it wrote a file, before it said so."""
    record, backup = Deliveries.read(workspace), latest(workspace, _WHAT)
    if backup is None:
        return record
    for path, after in backup.after.items():
        entry = record.entries.get(path)
        if entry is None or not entry.pending or entry != backup.entries[path]:
            continue
        if (workspace / path).is_file() and sha256(read_copy(workspace, path)) == after:
            record.entries[path] = DeliveredFile(entry.pending)
    return record


def _change(record: Deliveries, path: str, version: Version) -> PlannedUpdate:
    theirs = record.kept(version.content)
    if theirs is None:
        raise CourseError(
            f"The new version of {path} is lost or damaged: `course lab` gets it again."
        )
    mine, base = read_copy(record.workspace, path), record.base(path)
    if path.endswith(".ipynb"):
        return _notebook_change(path, version, base, mine, theirs)
    return _text_change(path, version, base, mine, theirs)


def _notebook_change(
    path: str, version: Version, base: bytes | None, mine: bytes, theirs: bytes
) -> PlannedUpdate:
    known = read_notebook(base, path) if base is not None else None
    merged = merge(known, read_notebook(mine, path), read_notebook(theirs, path))
    return PlannedUpdate(
        path,
        mine,
        write_notebook(merged.notebook),
        version,
        merged.words(),
        (*merged.found, *merged.notes),
    )


def _text_change(
    path: str, version: Version, base: bytes | None, mine: bytes, theirs: bytes
) -> PlannedUpdate:
    """Merged by lines; where both changed the same ones, the learner's stays as it is."""
    after = _merged_lines(base, mine, theirs) if base is not None else None
    if after is not None:
        return PlannedUpdate(path, mine, after, version, "it has changed; your changes stay.")
    words = "it has changed where you have changed it as well; yours stays as it is."
    note = f"{path}: the new version is put beside it, with “from_course” in its name."
    return PlannedUpdate(path, mine, mine, version, words, (note,), beside=theirs)


def _merged_lines(base: bytes, mine: bytes, theirs: bytes) -> bytes | None:
    old, own, new = (data.splitlines(keepends=True) for data in (base, mine, theirs))
    merged: list[bytes] = []
    for kind, *parts in Merge3(old, own, new).merge_groups():
        if kind == "conflict":
            return None
        merged += parts[0]
    return b"".join(merged)


def _text_of(path: str, data: bytes) -> list[str]:
    if not path.endswith(".ipynb"):
        return data.decode("utf-8", "replace").splitlines(keepends=True)
    notebook = read_notebook(data, path)
    texts = [f"# %% [{cell.cell_type}]\n{cell.source}\n\n" for cell in notebook.cells]
    return "".join(texts).splitlines(keepends=True)


def _title(root: Path, path: str) -> str:
    course = load_manifest(root / "course.toml")
    for lesson in course.lessons:
        if path == lesson_file(lesson):
            return f"Lesson {lesson.number}, {lesson.title}"
    for assignment in course.assignments:
        if path == assignment_file(assignment):
            return f"Assignment {assignment.name}"
    return path
