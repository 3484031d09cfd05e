"""The whole of `course intake`: from a folder or a zip to submitted/."""

import contextlib
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from course_grading.intake.choice import choose
from course_grading.intake.files import (
    IntakeRefused,
    Item,
    Owner,
    Refuse,
    items_of_folder,
    items_of_zip,
)
from course_grading.intake.layout import by_owner, is_junk
from course_grading.intake.students import Roster, make_ids, read_times
from course_grading.intake.submitted import REPLACED, State, record_refusal, store
from course_notebooks.reading import shown
from course_notebooks.safe_files import explained
from course_utils.errors import CourseError
from course_utils.nearest import sentence, suggestion


@dataclass(frozen=True)
class TakenSubmission:
    """A submission that is in submitted/ now. `notes` are sentences about it."""

    student: str
    origin: str
    state: State
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class IntakeReport:
    """What came of an intake. refused: in a sentence each, what was not taken and what to do."""

    taken: tuple[TakenSubmission, ...]
    refused: tuple[str, ...]

    def students(self, state: State) -> list[str]:
        """The students whose work is in this state."""
        return [each.student for each in self.taken if each.state == state]


def take_in(
    root: Path,
    assignment: str,
    source: Path,
    roster: Path | None,
    say: Callable[[str], None],
    times: Path | None = None,
) -> IntakeReport:
    """Put the submissions in `source` into `root`/submitted, where nbgrader looks for them.

    root: nbgrader's course folder, that of nbgrader_config.py.
    source: a folder or a zip, as Canvas or Moodle hand it out, or with a folder, a zip or a
        notebook for each student.
    roster: a CSV file as `nbgrader db student import` reads it; without one, ids are made from
        the names.
    times: a CSV file with the columns id and time; without it nobody is late, as no zip tells.

    Raises CourseError if nothing can be taken in at all. What is wrong with one submission is said
    and put into the report, while the others are taken.
    """
    _check_assignment(root, assignment)
    submitted = root / "submitted"
    students = Roster(roster) if roster else None
    handed_in_at = read_times(times) if times else {}
    if not submitted.is_dir():
        with explained(submitted):
            submitted.mkdir()
    refused: list[str] = []

    def refuse(sentence: str) -> None:
        refused.append(sentence)
        say(f"✗ {sentence}")

    taken: list[TakenSubmission] = []
    with _items(source, submitted, refuse) as items:
        every = list(items)
        kept = [item for item in every if not is_junk(item.parts)]
        if len(kept) < len(every):
            say(f"Left out: {len(every) - len(kept)} files that systems and editors keep there.")
        owned, nobodys = by_owner(kept, assignment, students.has if students else None, say)
        for item in nobodys:
            refuse(f"{item.origin} belongs to no student: put it into a folder with the name.")
        for student, works in sorted(_by_student(owned, students, refuse).items()):
            try:
                submission = choose(
                    _right_one(student, works, students, refuse), assignment, refuse
                )
                submission = replace(submission, time=handed_in_at.get(student))
                state = store(submitted, student, assignment, submission)
            except Exception as error:  # one student's files end nobody else's intake
                why = (
                    str(error)
                    if isinstance(error, CourseError)
                    else f"what was handed in cannot be taken ({type(error).__name__}): "
                    "look at it, or ask for it once more."
                )
                refuse(f"{student}: {why}")
                with contextlib.suppress(CourseError):
                    record_refusal(submitted, student, assignment, why)
                continue
            notes = submission.notes
            if submission.late and submission.time is None:
                notes += ("late, says Canvas, and not when: nothing is deducted.",)
            taken.append(TakenSubmission(student, submission.origin, state, notes))
            if state == "replaced":
                notes += (f"replaced; what was there is in submitted/{REPLACED} now.",)
            elif state == "kept":
                left = submission.origin
                notes += (f"a newer one is there already, so {left} was left out.",)
            for note in notes:
                say(f"  {student}: {note}")
    if not taken and not refused:
        raise CourseError(
            f"There is no notebook in {shown(source)}: name the folder or the zip "
            "that holds the submissions."
        )
    students_taken = {each.student for each in taken}
    if strangers := sorted(handed_in_at.keys() - students_taken):
        names = shown(", ".join(strangers))
        say(f"{times} has times for {names}, of whom nothing was taken in: is it their id?")
    if unknown := students_taken - handed_in_at.keys():
        say(f"Time unknown for {len(unknown)}, so not late; a table can tell: --times FILE.")
    report = IntakeReport(tuple(taken), tuple(refused))
    say(_summary(report))
    return report


def _check_assignment(root: Path, assignment: str) -> None:
    known = sorted(path.name for path in (root / "source").glob("*") if path.is_dir())
    if assignment not in known:
        where = root / "source"
        hint = suggestion(assignment, known)
        raise CourseError(sentence(f"There is no assignment {assignment} in {where}; {hint}"))


@contextlib.contextmanager
def _items(source: Path, submitted: Path, refuse: Refuse) -> Iterator[Iterator[Item]]:
    """The files in a folder or a zip, which stays open meanwhile."""
    where, target = source.resolve(), submitted.resolve()
    if where.is_relative_to(target) or target.is_relative_to(where):
        raise CourseError(
            f"{shown(source)} and submitted/ are one in the other: name a folder or "
            "a zip elsewhere."
        )
    if where.is_dir():
        yield items_of_folder(source, refuse)
    elif where.is_file() and zipfile.is_zipfile(source):
        with open(source, "rb") as file:
            yield items_of_zip(file, source.name, refuse)
    else:
        what = "is neither a folder nor a zip" if where.exists() else "is not there"
        raise CourseError(f"{shown(source)} {what}: name what the platform handed out.")


def _by_student(
    owned: dict[Owner, list[Item]], roster: Roster | None, refuse: Refuse
) -> dict[str, dict[Owner, list[Item]]]:
    """The works that may be each student's: of several, somebody chose a name that is another's."""
    made = {} if roster else make_ids(owned, refuse)
    students: dict[str, dict[Owner, list[Item]]] = {}
    for owner, files in owned.items():
        try:
            student = roster.find(owner) if roster else made.get(owner)
        except IntakeRefused as why:
            refuse(str(why))
            continue
        if student is not None:
            students.setdefault(student, {})[owner] = files
    return students


def _right_one(
    student: str, works: dict[Owner, list[Item]], roster: Roster | None, refuse: Refuse
) -> list[Item]:
    """Raises IntakeRefused where nothing tells which one is the student's."""
    chosen = next(iter(works))
    if roster and len(works) > 1:
        chosen = roster.choose(student, [*works])
        for other in works.keys() - {chosen}:
            refuse(f"{other} is called as {student} is, and has another number: ask who it is.")
    return works[chosen]


def _summary(report: IntakeReport) -> str:
    words: dict[State, str] = {
        "new": "new",
        "replaced": "replaced",
        "kept": "older than what is there",
        "unchanged": "unchanged",
    }
    counts = Counter(words[each.state] for each in report.taken)
    parts = [f"{counts[word]} {word}" for word in words.values() if counts[word]]
    parts.append(f"{len(report.refused)} refused")
    return f"Submissions: {', '.join(parts)}."
