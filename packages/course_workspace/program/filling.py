"""What passes goes into the learner's own program, and what they changed by hand stays."""

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
"""Of a workspace: where the program is."""

_NAMES = {hole.name for hole in HOLES}


@dataclass(frozen=True)
class PartState:
    """Whose a part is: as the course gave it, as it passed, changed by hand, or not there.

    since: when what passed was put, in seconds since 1970; 0 for any other.
    """

    hole: Hole
    whose: Literal["early", "passed", "by hand", "missing"]
    since: int = 0


def states(workspace: Path) -> list[PartState]:
    """Whose each part of the program is. Raises CourseError if a file cannot be read."""
    files, ledger = _read(workspace / FOLDER), Ledger.read(workspace)
    return [_state(files, hole, ledger) for hole in HOLES]


def fill_in(workspace: Path, exercise: str, answer: Any) -> list[str]:
    """Put an answer that passed into the holes of `exercise`; returns sentences that say so."""
    if all(hole.exercise != exercise for hole in HOLES):
        return []
    try:
        return fill(workspace, exercise, cell_of(answer))
    except Exception as fault:  # of ours, or of the machine: the verdict stands
        return [f"It is not in your program: {type(fault).__name__}: {fault}"]


def fill(workspace: Path, exercise: str, cell: str) -> list[str]:
    """Put what `cell` defines, and what passed, into the holes of `exercise`.

    A part that was changed by hand is left alone, and what passed is laid beside the program. Each
    part that is put is a commit of its own, after one of what was changed since the last.

    Returns sentences that say what was done; none where everything is there already.
    """
    holes = [hole for hole in HOLES if hole.exercise == exercise]
    if not holes:
        return []
    try:
        with alone(workspace):
            return _Filling(workspace).fill(holes, cell)
    except CourseError as problem:
        return [f"Your program in {FOLDER}/ stays as it is: {problem}"]


def with_passed(workspace: Path, files: Mapping[str, str]) -> Mapping[str, str]:
    """Files of the program, by name, with every part that passed."""
    ledger = Ledger.read(workspace)
    for hole in HOLES:
        part = ledger.passed(hole.name)
        if part and hole.file in files:
            with suppress(CourseError):  # this file has no such part
                files = put(files, _only(part.cell, hole))
    return files


def begin(workspace: Path, files: Mapping[str, str], written: Sequence[str]) -> str:
    """Note the early program `files`, and commit those that were just `written`.

    Whoever calls this holds the workspace. Returns a sentence if there is no repository, else "".
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
        return f"{FOLDER}/ has no history, only numbered copies of what is replaced: {problem}."
    return ""


class _Filling:
    """One pass, while nobody else writes into the workspace."""

    def __init__(self, workspace: Path) -> None:
        self._home, self._ledger = workspace / FOLDER, Ledger.read(workspace)
        self._repository = Repository(self._home)
        self._problem = self._copies = ""

    def fill(self, holes: Sequence[Hole], cell: str) -> list[str]:
        files, found = _read(self._home), parts(cell)
        if missing := [hole.name for hole in holes if hole.name not in found]:
            raise CourseError(f"the cell that passed defines no {' and no '.join(missing)}.")
        whose = {hole: _state(files, hole, self._ledger).whose for hole in holes}
        under_way, said, done = self._under_way(), [], []
        for hole in holes:
            own = _only(cell, hole)
            files = _read(self._home)
            new, reason = self._tried(files, hole, own, whose[hole])
            if new == files[hole.file]:
                if self._ledger.put(hole.name, found[hole.name], own):
                    self._ledger.write()
            elif reason or under_way:
                busy = f"{under_way.capitalize()} is under way in {FOLDER}/, which is left alone"
                reason = reason or busy
                beside = _numbered(self._home / f"{hole.name}.py", own.encode())
                said.append(f"{reason}: what passed lies beside it, in {FOLDER}/{beside.name}.")
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

    def _tried(self, files: Mapping[str, str], hole: Hole, own: str, whose: str) -> tuple[str, str]:
        """What the part's file would be with it; and why it cannot be so, or ""."""
        source, path = files[hole.file], f"{FOLDER}/{hole.file}"
        if whose == "missing":
            return "", f"{path} has no `{hole.name}` that can be found"
        if (new := put(files, own)[hole.file]) == source:
            return new, ""
        if whose == "by hand":
            return "", f"`{hole.name}` in {path} was changed by hand, and stays as it is"
        former = self._ledger.passed(hole.name)
        source = _without_former(source, former.cell if former else "", own)
        there = _defined(source)
        helpers = [name for text in beside(own, _NAMES, source) for name in _defined(text)]
        if taken := [name for name in helpers if name in there]:
            return "", f"{path} has another `{taken[0]}` than your cell, so nothing was put there"
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
            self._copies += f" What was there is in {FOLDER}/{copy.name}."
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
            raise CourseError(f"{FOLDER}/{name} is not there, and `course lab` puts it there.")
        try:
            with explained(path):
                files[name] = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise CourseError(f"{FOLDER}/{name} is no text in UTF-8: save it as that.") from None
    return files


def _state(files: Mapping[str, str], hole: Hole, ledger: Ledger) -> PartState:
    source = files[hole.file]
    try:
        here = parts(source).get(hole.name)
    except (SyntaxError, ValueError):  # ValueError: it holds a null byte
        here = None
    if here is None:
        return PartState(hole, "missing")
    for known in reversed(ledger.of(hole.name)):
        if known.text == here and not (known.cell and beside(known.cell, _NAMES, source)):
            return PartState(hole, "passed" if known.cell else "early", known.at)
    return PartState(hole, "by hand")


def _only(cell: str, hole: Hole) -> str:
    """A cell without the other parts that it defines."""
    lines = cell.splitlines()
    for node in reversed(ast.parse(cell).body):
        if getattr(node, "name", "") in _NAMES - {hole.name}:
            decorators = getattr(node, "decorator_list", ())
            first = min(each.lineno for each in (node, *decorators))
            del lines[first - 1 : node.end_lineno]
    return "\n".join(lines).strip() + "\n"


def _without_former(source: str, former: str, own: str) -> str:
    """A file without what the `former` cell defined beside the part, and `own` defines anew."""
    for text in beside(former, _NAMES, own):
        if _defined(text) & _defined(own):
            source = source.replace(f"{text}\n\n\n", "", 1)
    return source


def _defined(source: str) -> set[str]:
    """The names that a file or a cell gives to functions, classes and values."""
    return {name for node in ast.parse(source).body for name in names_of(node)}


def _numbered(path: Path, data: bytes) -> Path:
    """Keep `data` as NAME-1.ext, NAME-2.ext, … beside `path`, unless one of them holds it."""
    for number in count(1):
        copy = path.with_name(f"{path.stem}-{number}{path.suffix}")
        if copy.is_file() and copy.read_bytes() == data:
            return copy
        if not os.path.lexists(copy):
            create_file(copy, data)
            return copy
    raise AssertionError("there is always another number")
