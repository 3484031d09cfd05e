"""The submissions in submitted/: found, read, and rebuilt for grading."""

import contextlib
import dataclasses
import hashlib
import itertools
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatch
from pathlib import Path

from nbformat import NotebookNode
from nbgrader.utils import is_grade, is_solution, parse_utc

from course_grading.hints import hints
from course_grading.intake.submitted import NOT_TAKEN
from course_grading.job import Job
from course_grading.own_questions import own_verdicts
from course_grading.results import Flag, Graded, on_a_line
from course_grading.run.autograded import UNREADABLE, show_saved
from course_grading.run.course import NbgraderCourse, ReleasedAssignment, ReleasedNotebook, is_test
from course_notebooks.matching import ANOTHER, grade_id
from course_notebooks.reading import LARGEST, Unreadable, read_bounded, read_submission, shown
from course_notebooks.rebuild import Rebuilt, rebuild
from course_notebooks.renamed import use_new_names
from course_utils.errors import CourseError
from course_utils.manifest import load_manifest

_MOST_FILES, _MOST_NOTEBOOKS = 4000, 20
_STAMP = "timestamp.txt"
_LONGEST_STAMP = 1000  # bytes of timestamp.txt


@dataclass(frozen=True)
class GradableSubmission:
    """A submission ready for a judge. In one that could not be read, all exercises are held.

    notebooks: the rebuilt ones, by name.
    handed_in: the recorded time, or None. notes: sentences on the time and on other notebooks.
    """

    released: ReleasedAssignment
    notebooks: Mapping[str, Rebuilt]
    job: Job
    flags: tuple[Flag, ...] = ()
    handed_in: datetime | None = None
    notes: tuple[str, ...] = ()

    def completed(self, graded: Graded) -> Graded:
        """The judge's result, with own questions, and the repairs and flags from before."""
        books, known = self.notebooks, self.released.told
        verdicts = (
            verdict
            for each in self.released.notebooks
            for verdict in own_verdicts(graded, books[each.name].notebook, each, self.job.held)
        )
        repairs = (repair for each in books.values() for repair in each.repaired)
        own = [f for f in graded.flags if (f.line, f.source, f.why) not in known]
        theirs = dict.fromkeys(map(self._placed, own))  # each run of a program repeats them
        return dataclasses.replace(
            graded,
            verdicts=tuple(verdicts),
            flags=(*self.flags, *theirs),
            repaired=(*repairs, *graded.repaired, *self.notes),
        )

    def _placed(self, flag: Flag) -> Flag:
        """The flag with the cell that contains its line, or else with its file."""
        places = [
            (name, number)
            for each in self.notebooks.values()
            for name, source in code_cells(each.notebook)
            for number, line in enumerate(source.split("\n"), start=1)
            if flag.source and flag.source == on_a_line(line)
        ]
        if places:  # of several, the one with the reported number
            cell, line = min(places, key=lambda place: place[1] != flag.line)
            return dataclasses.replace(flag, cell=cell, line=line)
        return dataclasses.replace(flag, cell=Path(flag.cell).name or "no cell")


@dataclass(frozen=True)
class SubmittedFolder:
    """One student's folder for an assignment."""

    student: str
    folder: Path
    ignored: tuple[str, ...] = ()

    def files(self) -> Iterator[Path]:
        """All submitted files, including links and special files."""
        for path in sorted(self.folder.rglob("*")):
            inside = path.relative_to(self.folder).parts
            if any(fnmatch(part, pattern) for part in inside for pattern in self.ignored):
                continue
            if path.is_symlink() or not path.is_dir():
                yield path

    def digest(self) -> str:
        """A hash of all file names and contents; for a file that cannot be read, of the reason."""
        sum_ = hashlib.sha256()
        for path in self.files():
            sum_.update(str(path.relative_to(self.folder)).encode(errors="surrogateescape") + b"\0")
            try:
                sum_.update(hashlib.sha256(read_bounded(path)).digest())
            except Unreadable as why:
                sum_.update(str(why).encode())
        return sum_.hexdigest()

    def prepare(self, released: ReleasedAssignment) -> GradableSubmission:
        """The submission with its answers in the instructor's notebooks. No content makes it raise.

        A notebook that cannot be read is held. If it is the only one, no file is graded.
        """
        alone = len(released.notebooks) == 1
        held, flags, notes = dict(released.doubts), list[Flag](), list[str]()
        notebooks: dict[str, Rebuilt] = {}
        try:
            files = self._others()
            for each in released.notebooks:
                try:
                    taken = self._notebook(each.name, alone=alone)
                    notebook = _in_our_names(taken)
                    rebuilt = rebuild(each.notebook, notebook)
                    notes += self._worked_beside(taken, released, each.notebook, rebuilt)
                    show_saved(rebuilt, notebook)
                    held |= _held(each, rebuilt)
                except Unreadable as unreadable:
                    if alone:
                        raise
                    rebuilt = _unread(each)
                    why = self._without_folders(str(unreadable))
                    held |= dict.fromkeys(each.questions.values(), why)
                ours = {cell.source for cell in each.notebook.cells}
                own = [cell for cell in code_cells(rebuilt.notebook) if cell[1] not in ours]
                flags += hints(own, files if not notebooks else {})
                _put_tests(rebuilt.notebook, each)
                notebooks[each.name] = rebuilt
        except Unreadable as unreadable:
            return self.held(released, str(unreadable))
        except Exception as error:  # a problem of one student must not end the run
            why = f"the submission cannot be read ({type(error).__name__})"
            return self.held(released, why)
        texts = (each.notebook for each in notebooks.values())
        # A folder or a compiled file of the same name would be imported in place of checks.py.
        modules = [name[:-3] for name in released.files if name.endswith(".py")]
        instead = tuple(f"{name}{sign}" for name in modules for sign in "./")
        files = {name: data for name, data in files.items() if not name.startswith(instead)}
        job = released.job(self.student, texts, held, {**files, **released.files})
        handed_in, late = self._handed_in()
        return GradableSubmission(
            released, notebooks, job, tuple(flags), handed_in, (*notes, *late)
        )

    def held(self, released: ReleasedAssignment, problem: str) -> GradableSubmission:
        """The submission with every exercise held, for the reason `problem`. No cell runs."""
        found = {each.name: _unread(each) for each in released.notebooks}
        held = dict.fromkeys(released.questions.values(), self._without_folders(problem))
        texts = (each.notebook for each in found.values())
        job = released.job(self.student, texts, held, {})
        return GradableSubmission(released, found, job, (), *self._handed_in())

    def _handed_in(self) -> tuple[datetime | None, tuple[str, ...]]:
        """The time in timestamp.txt or None, and a sentence if the file contains no time."""
        path = self.folder / _STAMP
        try:
            if not os.path.lexists(path):
                return None, ()
            text = read_bounded(path, _LONGEST_STAMP).decode().strip()
            return (parse_utc(text) if text else None), ()
        except (Unreadable, OSError, ValueError, OverflowError, TypeError):
            name = self._without_folders(shown(path))
            why = f"{name} contains no time, so the submission does not count as late."
            return None, (why,)

    def _without_folders(self, sentence: str) -> str:
        """A sentence without the course's path, which students should not read."""
        return sentence.replace(f"{shown(self.folder.parents[1])}/", "")

    def _notebook(self, name: str, *, alone: bool) -> Path:
        """The path of NAME.ipynb. alone: or else of the only notebook."""
        wanted = self.folder / f"{name}.ipynb"
        if wanted.exists() or wanted.is_symlink():
            return wanted
        found = [path for path in self.files() if path.suffix == ".ipynb"]
        if len(found) == 1 and alone:
            return found[0]
        if not found and (self.folder / NOT_TAKEN).is_file():
            raise Unreadable(
                shown(read_bounded(self.folder / NOT_TAKEN).decode(errors="replace").strip())
            )
        what = f"no {name}.ipynb among its notebooks" if found else "no notebook"
        raise Unreadable(f"{self.folder} has {what}: ask for the right one, or rename it.")

    def _worked_beside(
        self, taken: Path, released: ReleasedAssignment, notebook: NotebookNode, rebuilt: Rebuilt
    ) -> tuple[str, ...]:
        """A sentence about other notebooks in the folder, if their answers differ from `taken`'s.

        Raises Unreadable if `taken` has no answers, because the work may be in another notebook.
        """
        mine, others = _answers(rebuilt), []
        ours = {taken, *(self.folder / f"{each.name}.ipynb" for each in released.notebooks)}
        notebooks = (path for path in self.files() if path.suffix == ".ipynb" and path not in ours)
        for path in itertools.islice(notebooks, _MOST_NOTEBOOKS):
            with contextlib.suppress(Unreadable):  # an unreadable one may contain answers
                answers = _answers(rebuild(notebook, _in_our_names(path)))
                if not answers or answers == mine:
                    continue
            others.append(shown(path.relative_to(self.folder)))
        if others and not mine:
            raise Unreadable(
                f"{taken.name} has no answer, but there is also {', '.join(others)}: ask which "
                "one counts, give it the right name, and delete the other."
            )
        told = f"Not graded, but may contain other answers: {', '.join(others)}."
        return (told,) if others else ()

    def _others(self) -> Mapping[str, bytes]:
        """Path → content of the other files. Raises Unreadable for links, or too many or large."""
        found: dict[str, bytes] = {}
        size = 0
        for path in self.files():
            name = str(path.relative_to(self.folder))
            if path.suffix == ".ipynb" or name == _STAMP:
                continue
            found[name] = read_bounded(path)
            size += len(found[name])
            if size > LARGEST or len(found) > _MOST_FILES:
                raise Unreadable(
                    f"{self.folder} has more than {_MOST_FILES} files or {LARGEST >> 20} MB "
                    "besides its notebook: delete the files that the answers do not need."
                )
        return found


def _unread(released: ReleasedNotebook) -> Rebuilt:
    rebuilt = rebuild(released.notebook, released.notebook)
    for cell in rebuilt.notebook.cells:
        cell.metadata.course = {"missing": UNREADABLE}
    return rebuilt


def _put_tests(notebook: NotebookNode, released: ReleasedNotebook) -> None:
    """Give each own test in a rebuilt notebook its whole text."""
    for cell in filter(is_test, notebook.cells):
        cell.source = released.tests[cell.metadata.nbgrader.grade_id]


def _held(released: ReleasedNotebook, rebuilt: Rebuilt) -> dict[str, str]:
    """Exercise or own question → why a person must look for its answer.

    A test of one's own is held with the answer in the solution cell above it.
    """
    found, above = dict[str, str](), ""
    for cell in released.notebook.cells:
        name = grade_id(cell)
        if name is None:
            continue
        if is_solution(cell):
            above = rebuilt.held.get(name, "")
        answer = released.checks[name].answer if name in released.checks else ""
        why = rebuilt.held.get(answer, "") if answer else above
        if why and is_grade(cell):
            found[released.questions[name]] = why
    return found


def _in_our_names(path: Path) -> NotebookNode:
    """The submitted notebook, with this version's names of exercises. Raises Unreadable."""
    notebook = read_submission(path)
    use_new_names(notebook, load_manifest().renamed)
    return notebook


def _answers(rebuilt: Rebuilt) -> dict[str, str]:
    """grade_id → a student's text for an exercise, or the reason why it is not certain."""
    cells = (cell for cell in rebuilt.notebook.cells if is_solution(cell))
    written = {
        cell.metadata.nbgrader.grade_id: cell.source for cell in cells if cell.id in rebuilt.origin
    }
    return written | {name: why for name, why in rebuilt.held.items() if ANOTHER not in why}


def is_special(path: Path) -> bool:
    """Whether a path is a link, a pipe, a device or the like."""
    return path.is_symlink() or not path.is_file()


def find_submissions(
    course: NbgraderCourse, assignment: str, student: str = "*"
) -> list[SubmittedFolder]:
    """The submissions of an assignment, by student. Raises CourseError if there are none."""
    pattern = course.place("submitted", "*", assignment)
    base = pattern.parents[1]
    ignored = tuple(course.directory.ignore)
    found = [
        SubmittedFolder(folder.parent.name, folder, ignored)
        for folder in sorted(base.glob(f"*/{assignment}"))
        if folder.is_dir()
        and _is_student(course, folder.parent.name)
        and student in ("*", folder.parent.name)
    ]
    if not found:
        who = "STUDENT" if student == "*" else student
        raise CourseError(
            f"There is no submission of {assignment}: {base} has no folder "
            f"{who}/{assignment}. Make it with `course intake` or `nbgrader collect`."
        )
    return found


def _is_student(course: NbgraderCourse, name: str) -> bool:
    """Whether nbgrader treats a folder of submitted/ as a student's.

    Raises CourseError for a name that no gradebook can store.
    """
    try:
        name.encode()
    except UnicodeEncodeError:
        raise CourseError(
            f"A folder in submitted/ has a damaged name, {shown(name)}. Rename it to "
            "the student's id, then run the same command again."
        ) from None
    return not name.startswith(".") and name not in course.directory.student_id_exclude.split(",")


def code_cells(notebook: NotebookNode) -> list[tuple[str, str]]:
    """The name and the text of each code cell."""
    return [
        (cell.metadata.get("nbgrader", {}).get("grade_id") or f"cell {number}", cell.source)
        for number, cell in enumerate(notebook.cells, start=1)
        if cell.cell_type == "code"
    ]
