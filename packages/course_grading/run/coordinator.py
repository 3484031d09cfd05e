"""A run: what is unchanged is left alone, the rest is graded, published and saved, step by step."""

import contextlib
import dataclasses
import hashlib
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass

from course_grading.executor import GradingExecutor, hold_all
from course_grading.results import Graded
from course_grading.run.autograded import publish, show_results
from course_grading.run.course import NbgraderCourse, ReleasedAssignment
from course_grading.run.gradebook import ClassGradebook
from course_grading.run.journal import PUBLISHED, SAVED, Journal
from course_grading.run.submissions import GradableSubmission, SubmittedFolder
from course_utils.errors import CourseError

_AHEAD = 2  # submissions in the hands of each judge, so that none waits for the next


@dataclass(frozen=True)
class GradingTask:
    """A submission that is to be graded, or whose result is not everywhere yet."""

    submission: SubmittedFolder
    key: str
    graded: Graded | None = None


@dataclass(frozen=True)
class GradingRun:
    """An assignment of a course, and where its results are kept.

    decided_by: see `grading_digest`.
    """

    course: NbgraderCourse
    released: ReleasedAssignment
    book: ClassGradebook
    journal: Journal
    decided_by: str

    def plan(
        self,
        submissions: Iterable[SubmittedFolder],
        *,
        only_held: bool = False,
        again: bool = False,
    ) -> tuple[list[GradingTask], list[Graded]]:
        """What is to be done, and the results of what can be left alone.

        Compares each submission with the journal, with autograded/ and with the gradebook.
        only_held: nothing but what was held. again: everything, changed or not.
        """
        tasks: list[GradingTask] = []
        unchanged: list[Graded] = []
        for submission in submissions:
            key = hashlib.sha256(f"{self.decided_by}/{submission.digest()}".encode()).hexdigest()
            entry = self.journal.entry(submission.student, self.released.name)
            if only_held and (entry is None or not entry.graded.held):
                continue
            if entry is None or entry.key != key or again or only_held:
                tasks.append(GradingTask(submission, key))
            elif entry.state == SAVED and self._is_everywhere(entry.graded):
                unchanged.append(entry.graded)
            else:
                tasks.append(GradingTask(submission, key, entry.graded))
        return tasks, unchanged

    def _is_everywhere(self, graded: Graded) -> bool:
        place = self.course.place("autograded", graded.student, self.released.name)
        points = self.book.scores.get(graded.student)
        return (place / f"{self.released.name}.ipynb").is_file() and (
            points == self.released.points(graded)
        )

    def grade_tasks(
        self, tasks: Sequence[GradingTask], executor: GradingExecutor, *, outputs: bool = False
    ) -> Iterator[Graded]:
        """Grade, publish and save; yields each result once it is everywhere.

        outputs: whether the cells are to be run once more for what they put out.
        """
        waiting: dict[Future[Graded], tuple[GradingTask, GradableSubmission, float]] = {}
        left = deque(tasks)
        while left or waiting:
            while left and len(waiting) < executor.size * _AHEAD:
                task, begun = left.popleft(), time.process_time()
                prepared = task.submission.prepare(self.released, outputs=outputs)
                if task.graded is not None:
                    yield self._save_or_hold(task, prepared, task.graded)
                    continue
                future = executor.submit(prepared.job)
                waiting[future] = task, prepared, time.process_time() - begun
            for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                task, prepared, spent = waiting.pop(future)
                begun = time.process_time()
                graded = self._save_or_hold(task, prepared, prepared.completed(future.result()))
                spent += time.process_time() - begun
                spent_by = dataclasses.replace(graded.spent, coordinator=spent)
                yield dataclasses.replace(graded, spent=spent_by)

    def _save_or_hold(
        self, task: GradingTask, prepared: GradableSubmission, graded: Graded
    ) -> Graded:
        """Bring a result to where it is not yet; one that nobody can save is held.

        Raises CourseError for what concerns the whole run: a full disk, a gradebook in use.
        """
        with _stopped_afterwards():
            try:
                self._save(task, prepared, graded)
            except CourseError:
                raise
            except Exception as error:  # one student's result ends nobody else's run
                why = f"what came of it cannot be saved ({type(error).__name__})"
                prepared = task.submission.held(self.released, why)
                graded = prepared.completed(hold_all(prepared.job, why))
                self._save(dataclasses.replace(task, graded=None), prepared, graded)
        return graded

    def _save(self, task: GradingTask, prepared: GradableSubmission, graded: Graded) -> None:
        """Each step may be done twice without harm."""
        student, assignment = graded.student, graded.assignment
        if task.graded is None:
            self.journal.put(graded, task.key)
        notebook = prepared.rebuilt.notebook
        show_results(notebook, graded)
        publish(self.course, student, assignment, notebook, prepared.job.files)
        self.journal.advance(student, assignment, PUBLISHED)
        self.book.save(graded, prepared.handed_in, notebook)
        self.journal.advance(student, assignment, SAVED)


@contextlib.contextmanager
def _stopped_afterwards() -> Iterator[None]:
    """Who stops the run during the body stops it after that, so that nothing is half saved."""
    stopped: list[int] = []
    numbers = signal.SIGINT, signal.SIGTERM
    before = [signal.signal(number, lambda which, _: stopped.append(which)) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
    if stopped:
        signal.raise_signal(stopped[0])
