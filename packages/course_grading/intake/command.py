"""The whole of `course intake`: from a folder or a zip to submitted/."""

import contextlib
import zipfile
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from course_grading.intake.choice import choose
from course_grading.intake.files import IntakeRefused, Item, Refuse, items_of_folder, items_of_zip
from course_grading.intake.platforms import Owner, is_junk
from course_grading.intake.students import Roster, by_owner, read_times
from course_grading.intake.submitted import REPLACED, State, note_refusal, set_time, store, time_of
from course_notebooks.reading import shown
from course_notebooks.safe_files import explained
from course_utils.errors import CourseError
from course_utils.nearest import sentence, suggestion


@dataclass(frozen=True)
class IntakeReport:
    """The result of an intake.

    taken: by student, what became of the submission.
    refused: in a sentence each, what was not taken and what to do.
    """

    taken: dict[str, State] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)


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
    source: a folder or a zip, as a platform of the table lets one download it, or with a folder, a
        zip or a notebook for each student.
    roster: a CSV file as `nbgrader db student import` reads it; without one, ids are made from
        what the platform calls a student.
    times: a CSV file with the columns id and time, which counts before the platform's own times.

    Raises CourseError if nothing can be taken in at all. A problem with one submission is printed
    and put into the report, and all others are taken in.
    """
    known = sorted(path.name for path in (root / "source").glob("*") if path.is_dir())
    if assignment not in known:
        where = f"There is no assignment {assignment} in {root}/source"
        raise CourseError(sentence(f"{where}; {suggestion(assignment, known)}"))
    submitted, report, untimed = root / "submitted", IntakeReport(), 0
    students, handed_in_at = Roster(roster), read_times(times) if times else {}
    with explained(submitted):
        submitted.mkdir(exist_ok=True)

    def refuse(sentence: str) -> None:
        report.refused.append(sentence)
        say(f"✗ {sentence}")

    every = list(_items(source, submitted, refuse))
    kept = [item for item in every if not is_junk(item.parts)]
    if len(kept) < len(every):
        say(f"Left out: {len(every) - len(kept)} files that systems and editors keep there.")
    platform, owned, nobodys = by_owner(kept, source.resolve().name, assignment, students, say)
    for item in nobodys:
        refuse(
            f"{item.origin} has no certain owner: put it into a folder named by the student's id."
        )
    works: dict[str, dict[Owner, list[Item]]] = defaultdict(dict)
    for owner, files in owned.items():
        try:
            works[students.find(owner, platform, owned)][owner] = files
        except IntakeRefused as error:
            refuse(str(error))
    for student, handed in sorted(works.items()):
        try:
            chosen = choose(handed[students.choose(student, handed, refuse)], assignment, refuse)
            folder, told = submitted / student / assignment, handed_in_at.get(student)
            state = store(submitted, student, assignment, replace(chosen, time=told or chosen.time))
            if state == "unchanged" and told and told != time_of(folder):
                set_time(folder, told)
                say(f"  {student}: unchanged, and its time is {told:%Y-%m-%d %H:%M:%S} UTC now.")
            time = time_of(folder)
        except Exception as error:  # one student's files end nobody else's intake
            why = f"the files cannot be taken in ({type(error).__name__}): look at them."
            why = str(error) if isinstance(error, CourseError) else why
            refuse(f"{student}: {why}")
            with contextlib.suppress(CourseError):
                note_refusal(submitted, student, assignment, why)
            continue
        report.taken[student], untimed = state, untimed + (time is None)
        for note in chosen.notes:
            say(f"  {student}: {note}")
        if time is None and chosen.late:
            say(f"  {student}: Canvas marks it as late, without a time: nothing is deducted.")
        if state == "replaced":
            say(f"  {student}: replaced; the former files are in submitted/{REPLACED} now.")
        elif state == "kept":
            say(f"  {student}: a newer one is there, so {chosen.origin} was left out.")
    if not report.taken and not report.refused:
        raise CourseError(f"There is no notebook in {shown(source)}: name another folder or zip.")
    if strangers := sorted(handed_in_at.keys() - report.taken.keys()):
        names = shown(", ".join(strangers))
        say(f"{times} has times for {names}, and no submission of theirs came: check the ids.")
    if untimed:
        say(f"Time unknown for {untimed}, so not late; a table can tell: --times FILE.")
    counts = [f"{count} {state}" for state, count in Counter(report.taken.values()).items()]
    say(f"Submissions: {', '.join([*counts, f'{len(report.refused)} refused'])}.")
    return report


def _items(source: Path, submitted: Path, refuse: Refuse) -> Iterator[Item]:
    where, target = source.resolve(), submitted.resolve()
    if where.is_relative_to(target) or target.is_relative_to(where):
        raise CourseError(f"{shown(source)} and submitted/ are one in the other: name another.")
    if where.is_dir():
        return items_of_folder(source, refuse)
    if where.is_file() and zipfile.is_zipfile(source):
        return items_of_zip(source, source.name, refuse)
    what = "is neither a folder nor a zip" if where.exists() else "is not there"
    raise CourseError(f"{shown(source)} {what}: name the folder or zip from the platform.")
