"""A grading run: it skips unchanged submissions, and grades, publishes and saves the others."""

import contextlib
import dataclasses
import hashlib
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path

from course_grading.executor import GradingExecutor, hold_all
from course_grading.results import Graded
from course_grading.run.autograded import publish, show_results
from course_grading.run.course import NbgraderCourse, ReleasedAssignment
from course_grading.run.gradebook import ClassGradebook
from course_grading.run.journal import SAVED, Journal
from course_grading.run.submissions import GradableSubmission, SubmittedFolder
from course_utils.errors import CourseError

_EVERY = 5.0  # seconds between two looks at what is still running
_AHEAD = 2  # submissions queued for each judge, so that no judge waits for the next one

Tell = Callable[[int, Sequence[str]], None]
"""Is called every few seconds: how many are done, and the students whose submissions run."""


@dataclass(frozen=True)
class GradingTask:
    """A submission to grade. graded: its result, if it only has to be published and saved."""

    submission: SubmittedFolder
    key: str
    graded: Graded | None = None


@dataclass(frozen=True)
class GradingRun:
    """A run over an assignment of a course, with the journal and gradebook for its results.

    decided_by: the digest of `grading_digest`.
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
        """The tasks of a run, and the results of unchanged submissions.

        Compares each submission with the journal, with autograded/ and with the gradebook.
        only_held: only submissions that were held. again: all submissions, even if unchanged.
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
        files = [place / f"{each.name}.ipynb" for each in self.released.notebooks]
        return all(map(Path.is_file, files)) and points == self.released.points(graded)

    def grade_tasks(
        self, tasks: Sequence[GradingTask], executor: GradingExecutor, tell: Tell
    ) -> Iterator[Graded]:
        """Grade, publish and save; yield each result after it is saved."""
        waiting: dict[Future[Graded], tuple[GradingTask, GradableSubmission, float]] = {}
        left = deque(tasks)
        while left or waiting:
            while left and len(waiting) < executor.size * _AHEAD:
                task, begun = left.popleft(), time.process_time()
                prepared = task.submission.prepare(self.released)
                if task.graded is not None:
                    yield self._save_or_hold(task, prepared, task.graded)
                    continue
                future = executor.submit(prepared.job)
                waiting[future] = task, prepared, time.process_time() - begun
            done = wait(waiting, _EVERY, FIRST_COMPLETED).done
            running = [at[0].submission.student for f, at in waiting.items() if f.running()]
            tell(len(tasks) - len(left) - len(waiting), running)
            for future in done:
                task, prepared, spent = waiting.pop(future)
                begun = time.process_time()
                graded = self._save_or_hold(task, prepared, prepared.completed(future.result()))
                spent += time.process_time() - begun
                spent_by = dataclasses.replace(graded.spent, coordinator=spent)
                yield dataclasses.replace(graded, spent=spent_by)

    def _save_or_hold(
        self, task: GradingTask, prepared: GradableSubmission, graded: Graded
    ) -> Graded:
        """Publish and save a result; if that fails, hold the submission and save that.

        Raises CourseError for a problem of the whole run, such as a full disk.
        """
        with _stopped_afterwards():
            try:
                self._save(task, prepared, graded)
            except CourseError:
                raise
            except Exception as error:  # a problem of one student must not end the run
                why = f"the result cannot be saved ({type(error).__name__})"
                prepared = task.submission.held(self.released, why)
                graded = prepared.completed(hold_all(prepared.job, why))
                self._save(dataclasses.replace(task, graded=None), prepared, graded)
        return graded

    def _save(self, task: GradingTask, prepared: GradableSubmission, graded: Graded) -> None:
        """Publish and save a result in steps. Each step can be repeated safely."""
        if task.graded is None:
            self.journal.put(graded, task.key)
        notebooks = {name: each.notebook for name, each in prepared.notebooks.items()}
        show_results(notebooks, self.released, graded)
        publish(self.course, graded, notebooks, prepared.job.files)
        self.book.save(graded, prepared.handed_in)
        self.journal.finish(graded)


@contextlib.contextmanager
def _stopped_afterwards() -> Iterator[None]:
    """Delay SIGINT and SIGTERM until after the body, so that a result is saved completely."""
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
