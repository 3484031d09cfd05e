"""A run: what is unchanged is left alone, the rest is graded, published and saved, step by step."""

import dataclasses
import hashlib
import time
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path

import course_utils
from course_utils.checking.exercises import exercise
from course_utils.errors import CourseError
from course_utils.grading.results import Graded
from course_utils.grading.run.course import Course, Released
from course_utils.grading.run.crew import Crew
from course_utils.grading.run.gradebook import Book
from course_utils.grading.run.journal import PUBLISHED, SAVED, Journal
from course_utils.grading.run.outputs import show_fresh, show_verdicts
from course_utils.grading.run.publishing import publish
from course_utils.grading.run.submissions import Prepared, Submission
from course_utils.grading.station import all_held
from course_utils.recovery.reading import Unreadable

_AHEAD = 2  # submissions in the hands of each station, so that none waits for the next


@dataclass(frozen=True)
class Task:
    """A submission that is to be graded, or whose result is not everywhere yet."""

    submission: Submission
    key: str
    graded: Graded | None = None


@dataclass
class Plan:
    """What a run has to do: `tasks`; and what it can leave alone: the results of `unchanged`."""

    tasks: list[Task] = field(default_factory=list)
    unchanged: list[Graded] = field(default_factory=list)


def plan(
    course: Course,
    released: Released,
    seed: str,
    journal: Journal,
    book: Book,
    submissions: list[Submission],
    *,
    only_held: bool = False,
    again: bool = False,
) -> Plan:
    """Compare each submission with the journal, with autograded/ and with the gradebook.

    only_held: nothing but what was held. again: everything, changed or not.
    """
    found = Plan()
    ours = f"{released.digest}/{seed}/{_code(released)}"
    for submission in submissions:
        key = hashlib.sha256(f"{ours}/{submission.digest()}".encode()).hexdigest()
        entry = journal.entry(submission.student, released.name)
        if only_held and (entry is None or not entry.graded.held):
            continue
        if entry is None or entry.key != key or again or only_held:
            found.tasks.append(Task(submission, key))
        elif (
            entry.state == SAVED
            and _is_published(course, released, submission)
            and book.scores.get(submission.student) == released.points(entry.graded)
        ):
            found.unchanged.append(entry.graded)
        else:
            found.tasks.append(Task(submission, key, entry.graded))
    return found


def carry_out(
    tasks: list[Task],
    course: Course,
    released: Released,
    crew: Crew,
    book: Book,
    journal: Journal,
    *,
    outputs: bool = False,
) -> Iterator[Graded]:
    """Grade, publish and save; yields each result once it is everywhere.

    outputs: whether the cells are to be run once more for what they put out.
    """
    waiting: dict[Future[Graded], tuple[Task, Prepared, float]] = {}
    left = iter(tasks)
    more = True
    while more or waiting:
        while more and len(waiting) < crew.size * _AHEAD:
            task = next(left, None)
            if task is None:
                more = False
                break
            begun = time.process_time()
            prepared = _prepared(task, released, outputs)
            if task.graded is not None:
                yield _finish(task, prepared, task.graded, course, released, book, journal)
                continue
            future = crew.submit(prepared.job)
            waiting[future] = task, prepared, time.process_time() - begun
        finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
        for future in finished:
            task, prepared, spent = waiting.pop(future)
            begun = time.process_time()
            graded = dataclasses.replace(
                future.result(),
                flags=prepared.flags,
                mended=(*prepared.rebuilt.mended, *future.result().mended),
            )
            graded = _finish(task, prepared, graded, course, released, book, journal)
            spent += time.process_time() - begun
            yield dataclasses.replace(
                graded, spent=dataclasses.replace(graded.spent, coordinator=spent)
            )


def _finish(
    task: Task,
    prepared: Prepared,
    graded: Graded,
    course: Course,
    released: Released,
    book: Book,
    journal: Journal,
) -> Graded:
    """Bring a result to where it is not yet; one that nobody can save is held.

    Raises CourseError for what concerns the whole run: a full disk, a gradebook in use.
    """
    try:
        return _bring(task, prepared, graded, course, released, book, journal)
    except CourseError:
        raise
    except Exception as error:  # one student's result ends nobody else's run
        why = f"what came of it cannot be saved ({type(error).__name__})"
        prepared = task.submission.held(released, why)
        anew = dataclasses.replace(task, graded=None)
        held = all_held(prepared.job, why)
        return _bring(anew, prepared, held, course, released, book, journal)


def _prepared(task: Task, released: Released, outputs: bool) -> Prepared:
    try:
        return task.submission.prepare(released, outputs=outputs)
    except Exception as error:  # nor does what it handed in
        why = f"what was handed in cannot be read ({type(error).__name__})"
        return task.submission.held(released, why)


def _bring(
    task: Task,
    prepared: Prepared,
    graded: Graded,
    course: Course,
    released: Released,
    book: Book,
    journal: Journal,
) -> Graded:
    """Each step may be done twice without harm."""
    student, assignment = graded.student, graded.assignment
    try:
        timestamp = task.submission.handed_in_at()
    except Unreadable as unreadable:
        timestamp = None
        if str(unreadable) not in graded.mended:
            graded = dataclasses.replace(graded, mended=(*graded.mended, str(unreadable)))
    if task.graded is None:
        journal.put(graded, task.key)
    notebook = prepared.rebuilt.notebook
    show_fresh(notebook, graded.outputs)
    show_verdicts(notebook, graded.verdicts)
    publish(course, student, assignment, notebook, prepared.job.files)
    journal.advance(student, assignment, PUBLISHED)
    book.save(graded, timestamp, notebook)
    journal.advance(student, assignment, SAVED)
    return graded


def _is_published(course: Course, released: Released, submission: Submission) -> bool:
    place = course.place("autograded", submission.student, released.name)
    return (place / f"{released.name}.ipynb").is_file()


def _code(released: Released) -> str:
    """A digest of what decides: the engine, the exercises and how they are put to an answer."""
    package = Path(course_utils.__file__).parent
    topics = {exercise(check.exercise).path.parent for check in released.checks.values()}
    files = [
        *(package / "checking").rglob("*"),
        *(package / "recovery").glob("*"),
        *(package / "grading" / "judge").rglob("*"),
        *(package / "grading" / "worker").rglob("*"),
        *(package / "grading").glob("*"),
        *(file for topic in topics for file in topic.rglob("*")),
    ]
    versions = [version(name) for name in ("torch", "virtual_cuda")]
    digest = hashlib.sha256(" ".join(versions).encode())
    for file in sorted(each for each in files if each.suffix in (".py", ".md")):
        digest.update(file.read_bytes())
    return digest.hexdigest()
