"""Put parts that passed into the learner's program, and never replace what the learner edited."""

import ast
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal

from course_notebooks.safe_files import alone, create_file, explained, replace_file
from course_utils.errors import CourseError
from course_utils.program.holes import FILES, HOLES, Hole, beside, names_of, parts, put
from course_workspace.program.ledger import Ledger
from course_workspace.program.repository import Repository
from exercise_kit.definitions import cell_of

FOLDER = "project"
"""The subfolder of a workspace with the program."""

_NAMES = {hole.name for hole in HOLES}


@dataclass(frozen=True)
class PartState:
    """The origin of a part's text: the course, an answer that passed, the learner's edit, or none.

    since: for an answer that passed, when it was put, in seconds since 1970; else 0.
    """

    hole: Hole
    origin: Literal["early", "passed", "edited", "missing"]
    since: int = 0


def states(workspace: Path) -> list[PartState]:
    """The origin of each part of the program. Raises CourseError if a file cannot be read."""
    files, ledger = _read(workspace / FOLDER), Ledger.read(workspace)
    return [_state(files, hole, ledger) for hole in HOLES]


def fill_in(workspace: Path, exercise: str, answer: Any) -> list[str]:
    """Put an answer that passed into the program; returns sentences on what was done."""
    if all(hole.exercise != exercise for hole in HOLES):
        return []
    try:
        return fill(workspace, exercise, cell_of(answer))
    except Exception as fault:  # of the course, or of the machine: the verdict stays
        return [f"Your answer was not put into your program: {type(fault).__name__}: {fault}"]


def fill(workspace: Path, exercise: str, cell: str) -> list[str]:
    """Put the definitions of `cell`, which passed, into the program as the parts of `exercise`.

    A part that the learner has edited is not replaced; then the answer is saved in a file next to
    the program. Other changes since the last commit are committed first; each part that is put is
    a commit of its own.

    Returns sentences on what was done; none if the program already has these parts.
    """
    holes = [hole for hole in HOLES if hole.exercise == exercise]
    if not holes:
        return []
    try:
        with alone(workspace):
            return _Filling(workspace).fill(holes, cell)
    except CourseError as problem:
        return [f"Your program in {FOLDER}/ was not changed: {problem}"]


def with_passed(workspace: Path, files: Mapping[str, str]) -> Mapping[str, str]:
    """The text of the program's files, by name, with every part that passed."""
    ledger = Ledger.read(workspace)
    for hole in HOLES:
        part = ledger.passed(hole.name)
        if part and hole.file in files:
            with suppress(CourseError):  # this file has no such part
                files = put(files, _only(part.cell, hole))
    return files


def begin(workspace: Path, files: Mapping[str, str], written: Sequence[str]) -> str:
    """Record the first version of the program, `files`, and commit those just `written`.

    The caller has locked the workspace. Returns a sentence if there is no repository, else "".
    """
    ledger = Ledger.read(workspace)
    given = [ledger.give(hole.name, parts(files[hole.file])[hole.name]) for hole in HOLES]
    if any(given):
        ledger.write()
    repository = Repository(workspace / FOLDER)
    try:
        if written and not repository.under_way():
            repository.commit("The program as the course gives it", written)
    except CourseError as problem:
        return f"{FOLDER}/ has no git history, only numbered copies of replaced files: {problem}."
    return ""


class _Filling:
    """One call of `fill`, while the workspace is locked."""

    def __init__(self, workspace: Path) -> None:
        self._home, self._ledger = workspace / FOLDER, Ledger.read(workspace)
        self._repository = Repository(self._home)
        self._problem = self._copies = ""

    def fill(self, holes: Sequence[Hole], cell: str) -> list[str]:
        files, found = _read(self._home), parts(cell)
        if missing := [hole.name for hole in holes if hole.name not in found]:
            raise CourseError(f"the cell that passed does not define {' or '.join(missing)}.")
        origins = {hole: _state(files, hole, self._ledger).origin for hole in holes}
        under_way, said, done = self._under_way(), [], []
        for hole in holes:
            own = _only(cell, hole)
            files = _read(self._home)
            new, reason = self._tried(files, hole, own, origins[hole])
            if new == files[hole.file]:
                if self._ledger.put(hole.name, found[hole.name], own):
                    self._ledger.write()
            elif reason or under_way:
                reason = reason or f"{under_way.capitalize()} is not finished in {FOLDER}/"
                beside = _numbered(self._home / f"{hole.name}.py", own.encode())
                said.append(f"{reason}. So your answer was put into {FOLDER}/{beside.name} only.")
            else:
                self._put(hole, own, new)
                done.append(f"`{hole.name}`")
        if done:
            parts_are = f"{' and '.join(done)} {'is' if len(done) == 1 else 'are'}"
            shown = "`course project` in a terminal shows it"
            said.insert(0, f"{parts_are} in your program now; {shown}.")
        if done and self._problem:
            said.append(f"It is not committed: {self._problem}.{self._copies}")
        return said

    def _tried(
        self, files: Mapping[str, str], hole: Hole, own: str, origin: str
    ) -> tuple[str, str]:
        """The text of the part's file with the new part; and the reason against it, or ""."""
        source, path = files[hole.file], f"{FOLDER}/{hole.file}"
        if origin == "missing":
            return "", f"No `{hole.name}` was found in {path}"
        if (new := put(files, own)[hole.file]) == source:
            return new, ""
        if origin == "edited":
            return "", f"You edited `{hole.name}` in {path}, and it is not replaced"
        former = self._ledger.passed(hole.name)
        source = _without_former(source, former.cell if former else "", own)
        there = _defined(source)
        helpers = [name for text in beside(own, _NAMES, source) for name in _defined(text)]
        if taken := [name for name in helpers if name in there]:
            return "", f"{path} has another `{taken[0]}` than your cell"
        new = put({**files, hole.file: source}, own)[hole.file]
        try:
            compile(new, hole.file, "exec")
        except SyntaxError as error:
            return "", f"{path} could not run with it ({error.msg})"
        return new, ""

    def _put(self, hole: Hole, own: str, new: str) -> None:
        path = (self._home / hole.file).resolve()  # it may be a link
        before, data = path.read_bytes(), new.encode()
        if b"\r\n" in before:
            data = data.replace(b"\n", b"\r\n")
        if not self._commit("Changed since, by hand or by an update"):
            copy = _numbered(self._home / hole.file, before)
            self._copies += f" The old file is {FOLDER}/{copy.name}."
        self._ledger.put(hole.name, parts(own)[hole.name], own)
        self._ledger.write()
        replace_file(path, data)
        self._commit(f"{hole.name}: passed in lesson {hole.lesson}")

    def _commit(self, message: str) -> bool:
        try:
            self._repository.commit(message)
        except CourseError as problem:
            self._problem = str(problem)
        return not self._problem

    def _under_way(self) -> str:
        try:
            return self._repository.under_way()
        except CourseError as problem:
            self._problem = str(problem)
            return ""


def _read(home: Path) -> dict[str, str]:
    files = {}
    for name in FILES:
        path = home / name
        if not path.is_file():
            raise CourseError(f"{FOLDER}/{name} is missing. Run `course lab` to restore it.")
        try:
            with explained(path):
                files[name] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise CourseError(f"{FOLDER}/{name} is not UTF-8 text. Save it in UTF-8.") from None
    return files


def _state(files: Mapping[str, str], hole: Hole, ledger: Ledger) -> PartState:
    source = files[hole.file]
    try:
        here = parts(source).get(hole.name)
    except (SyntaxError, ValueError):  # ValueError: it contains a null byte
        here = None
    if here is None:
        return PartState(hole, "missing")
    for known in reversed(ledger.of(hole.name)):
        if known.text == here and not (known.cell and beside(known.cell, _NAMES, source)):
            return PartState(hole, "passed" if known.cell else "early", known.at)
    return PartState(hole, "edited")


def _only(cell: str, hole: Hole) -> str:
    """The text of a cell without its definitions of other parts."""
    lines = cell.splitlines()
    for node in reversed(ast.parse(cell).body):
        if getattr(node, "name", "") in _NAMES - {hole.name}:
            decorators = getattr(node, "decorator_list", ())
            first = min(each.lineno for each in (node, *decorators))
            del lines[first - 1 : node.end_lineno]
    return "\n".join(lines).strip() + "\n"


def _without_former(source: str, former: str, own: str) -> str:
    """A file without the helpers of the `former` cell that `own` defines again."""
    for text in beside(former, _NAMES, own):
        if _defined(text) & _defined(own):
            source = source.replace(f"{text}\n\n\n", "", 1)
    return source


def _defined(source: str) -> set[str]:
    """The names that a file or a cell defines: functions, classes and values."""
    return {name for node in ast.parse(source).body for name in names_of(node)}


def _numbered(path: Path, data: bytes) -> Path:
    """The file NAME-1.ext, NAME-2.ext, … next to `path` that contains `data`; a new one if none."""
    for number in count(1):
        copy = path.with_name(f"{path.stem}-{number}{path.suffix}")
        if copy.is_file() and copy.read_bytes() == data:
            return copy
        if not os.path.lexists(copy):
            create_file(copy, data)
            return copy
    raise AssertionError("there is always another number")
