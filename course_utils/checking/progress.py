"""A learner's progress: as plain data, and in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from course_utils.checking.questions import Prediction, Quiz, questions_file, read_questions
from course_utils.checking.record import LearnerRecord
from course_utils.manifest import (
    Assignment,
    Course,
    CoursePart,
    DroppedExercise,
    ExerciseEntry,
    Lesson,
    LessonTask,
    load_manifest,
)
from course_utils.words import counted

Standing = Literal["done", "begun", "new"]
MARKS: Mapping[Standing, str] = {"done": "✓", "begun": "…", "new": "○"}

_Events = Mapping[tuple[str, str], Mapping[str, Any]]
"""The latest event of each kind, by kind and name."""

_ASKED = ("predict", "reveal", "claim", "verdict", "quiz")
_EXERCISED = ("check", "hint", "solution")


@dataclass(frozen=True)
class Share:
    """A count `done` out of all, `of`."""

    done: int
    of: int


@dataclass(frozen=True)
class LessonProgress:
    """A learner's progress in a lesson and its assignment.

    predicted: predictions made. true: predictions that came true. right: quizzes answered right.
    read: whether its tasks have passed, or the questions at its end are answered (all of its
    questions, if there are none at its end). tasks, exercises: each with its standing; "begun"
    means checked and not passed.
    """

    lesson: Lesson
    assignment: Assignment | None
    predicted: Share
    true: int
    right: Share
    answered: int
    read: bool
    tasks: tuple[tuple[LessonTask, Standing], ...]
    exercises: tuple[tuple[ExerciseEntry, Standing], ...]

    @property
    def passed(self) -> Share:
        """The exercises that are passed, of all."""
        return Share(len(self._done), len(self.exercises))

    @property
    def tasks_passed(self) -> Share:
        """Tasks inside the lesson that are passed, of all."""
        done = [task for task, standing in self.tasks if standing == "done"]
        return Share(len(done), len(self.tasks))

    @property
    def points(self) -> Share:
        """Points of the exercises that are passed, of all."""
        return Share(
            sum(each.points for each in self._done), sum(each.points for each, _ in self.exercises)
        )

    @property
    def standing(self) -> Standing:
        """Done if all its exercises are passed, or, without exercises, if it is read."""
        if self.passed.done == self.passed.of if self.exercises else self.read:
            return "done"
        return "begun" if self.tried or self.answered or self._tasks_tried else "new"

    @property
    def tried(self) -> bool:
        """Whether any of the exercises was checked."""
        return any(standing != "new" for _, standing in self.exercises)

    @property
    def _tasks_tried(self) -> bool:
        return any(standing != "new" for _, standing in self.tasks)

    @property
    def _done(self) -> list[ExerciseEntry]:
        return [exercise for exercise, standing in self.exercises if standing == "done"]


@dataclass(frozen=True)
class NextStep:
    """The next step: an exercise of a lesson's assignment, or the lesson (`exercise` is None)."""

    state: LessonProgress
    exercise: ExerciseEntry | None


@dataclass(frozen=True)
class Progress:
    """A learner's progress in every lesson, in order. next: None if every exercise is passed.

    kept: exercises of an earlier version that were passed and are not in this one; they count.
    """

    course: Course
    lessons: tuple[LessonProgress, ...]
    next: NextStep | None
    kept: tuple[DroppedExercise, ...] = ()

    @property
    def passed(self) -> Share:
        """Exercises that are passed, of all, with those of earlier versions."""
        kept = Share(len(self.kept), len(self.kept))
        return _sum([kept, *(state.passed for state in self.lessons)])

    @property
    def tasks_passed(self) -> Share:
        """Tasks inside lessons that are passed, of all."""
        return _sum(state.tasks_passed for state in self.lessons)

    @property
    def points(self) -> Share:
        """Points of the exercises that are passed, of all, with those of earlier versions."""
        points = sum(each.points for each in self.kept)
        return _sum([Share(points, points), *(state.points for state in self.lessons)])


def progress_of(record: LearnerRecord) -> Progress:
    """The progress of the learner with this record."""
    course = load_manifest()
    latest: dict[tuple[str, str], Mapping[str, Any]] = {}
    passed, current = set[str](), ""
    lesson_of = {
        exercise.name: assignment.lesson
        for assignment in course.assignments
        for exercise in assignment.exercises
    }
    lesson_of |= {task.name: lesson.number for lesson in course.lessons for task in lesson.tasks}
    for event in record.everything():
        kind, name = event["kind"], str(event["name"])
        name = course.renamed.get(name, name)
        latest[kind, name] = event
        if kind == "check" and event.get("outcome") == "Passed":
            passed.add(name)  # a later attempt that fails does not change that
        if kind in _ASKED:
            current = name[:2]
        elif kind in _EXERCISED:
            current = lesson_of.get(name, current)
    lessons = tuple(_lesson(course, lesson, latest, passed) for lesson in course.lessons)
    kept = tuple(each for each in course.dropped if each.name in passed)
    return Progress(course, lessons, _next(lessons, current), kept)


def _lesson(course: Course, lesson: Lesson, latest: _Events, passed: set[str]) -> LessonProgress:
    file = questions_file(lesson.number)
    questions = read_questions(file) if file.is_file() else {}
    quizzes = [key for key, question in questions.items() if isinstance(question, Quiz)]
    predictions = [key for key, question in questions.items() if isinstance(question, Prediction)]
    answered = {
        key
        for key in questions
        if any((kind, key) in latest for kind in ("quiz", "predict", "claim"))
    }
    last = {key for key in quizzes if key.startswith(f"{lesson.number}.after.")} or set(questions)
    assignment = course.assignment(lesson.assignment) if lesson.assignment else None
    tasks = tuple((each, _standing(each.name, latest, passed)) for each in lesson.tasks)
    practised = bool(tasks) and all(standing == "done" for _, standing in tasks)
    return LessonProgress(
        lesson,
        assignment,
        predicted=Share(len(answered.intersection(predictions)), len(predictions)),
        true=_right(latest, "reveal", predictions),
        right=Share(_right(latest, "quiz", quizzes), len(quizzes)),
        answered=len(answered),
        read=practised or (bool(last) and last <= answered),
        tasks=tasks,
        exercises=tuple(
            (each, _standing(each.name, latest, passed))
            for each in (assignment.exercises if assignment else ())
        ),
    )


def _standing(exercise: str, latest: _Events, passed: set[str]) -> Standing:
    if exercise in passed:
        return "done"
    return "begun" if ("check", exercise) in latest else "new"


def _right(latest: _Events, kind: str, keys: list[str]) -> int:
    return sum(bool(latest.get((kind, key), {}).get("right")) for key in keys)


def _next(lessons: tuple[LessonProgress, ...], current: str) -> NextStep | None:
    """The first open step from the learner's last lesson to the end, then from the beginning."""
    first = next((n for n, each in enumerate(lessons) if each.lesson.number == current), 0)
    for state in (*lessons[first:], *lessons[:first]):
        if state.standing == "done":
            continue
        left = [exercise for exercise, standing in state.exercises if standing != "done"]
        return NextStep(state, left[0] if left and (state.read or state.tried) else None)
    return None


def _sum(shares: Iterable[Share]) -> Share:
    parts = list(shares)
    return Share(sum(part.done for part in parts), sum(part.of for part in parts))


def lines(progress: Progress) -> list[tuple[str, str]]:
    """The lines of the progress, as lead and text: the course, each lesson, the next step."""
    kept = ", ".join(each.name for each in progress.kept)
    return [
        (f"{passed(progress)}.", f"{share(progress.points, 'point')}."),
        *([("Kept from an earlier version:", f"{kept}.")] if kept else []),
        *((heading(state), f"{done(state)}.") for state in progress.lessons),
        ("Next:", coming(progress)),
    ]


def details(progress: Progress, parts: Sequence[CoursePart]) -> list[tuple[str, str]]:
    """The lines for the lessons of `parts`, as lead and text, and for each of their exercises."""
    lessons = {part.lesson.number for part in parts}
    opened = {part.lesson.number for part in parts if part.lesson.notebook in part.notebooks}
    wanted = {exercise.name for part in parts for exercise in part.exercises}
    found = []
    for state in progress.lessons:
        if state.lesson.number in lessons:
            found.append((heading(state), f"{done(state)}."))
            found += [
                (f"  {MARKS[standing]} {task.name}:", f"{task.title} (in the lesson)")
                for task, standing in state.tasks
                if state.lesson.number in opened
            ]
            found += [
                (
                    f"  {MARKS[standing]} {exercise.name}:",
                    f"{exercise.title} ({counted(exercise.points, 'point')})",
                )
                for exercise, standing in state.exercises
                if exercise.name in wanted
            ]
    return found


def milestone(name: str, record: LearnerRecord) -> str:
    """The sentence after exercise `name` has passed: "" until its whole assignment has.

    After a task inside a lesson: the next step of that lesson.
    """
    progress = progress_of(record)
    for state in progress.lessons:
        if name in {task.name for task, _ in state.tasks}:
            return _after_task(state)
        if state.standing == "done" and name in {each.name for each, _ in state.exercises}:
            return (
                f"All {state.passed.of} exercises of `{state.lesson.assignment}` are "
                f"passed: {counted(state.points.of, 'point')}. Next: {coming(progress)}"
            )
    return ""


def _after_task(state: LessonProgress) -> str:
    left = [task for task, standing in state.tasks if standing != "done"]
    passed = f"{share(state.tasks_passed, 'task')} of this lesson passed. Next: "
    if left:
        return f"{passed}read on; “{left[0].title}” is still to come."
    then = f", then {assignment(state)}" if state.assignment else ""
    return f"{passed}the rest of the lesson{then}."


def assignment(state: LessonProgress) -> str:
    """The number and title of a lesson's assignment, as in "assignment 02: Tensors"."""
    assert state.assignment is not None
    return f"assignment {state.lesson.number}: {state.assignment.title}"


def whole_assignment(state: LessonProgress) -> str:
    """The size of a lesson's assignment: "4 exercises, about 45 minutes, 18 points"."""
    minutes = sum(each.minutes for each, _ in state.exercises)
    points = counted(state.points.of, "point")
    return f"{counted(state.passed.of, 'exercise')}, about {minutes} minutes, {points}"


def heading(state: LessonProgress) -> str:
    """The mark, number and title of a lesson, as in "✓ 02 Tensors on devices:"."""
    return f"{MARKS[state.standing]} {state.lesson.number} {state.lesson.title}:"


def done(state: LessonProgress) -> str:
    """The finished part of a lesson and its assignment; of a new lesson, its length."""
    if state.standing == "new":
        parts = [state.lesson.time, exercises(state)]
    else:
        parts = [tasks(state), questions(state), exercises(state)]
    return ", ".join(filter(None, parts))


def exercises(state: LessonProgress) -> str:
    """How many exercises of the lesson are passed; for a new lesson, how many there are.

    "" if the lesson has no assignment.
    """
    passed, points = state.passed, state.points
    if not passed.of:
        return ""
    if state.standing == "new":
        return f"{counted(passed.of, 'exercise')}, {counted(points.of, 'point')}"
    return f"{share(passed, 'exercise')} passed ({share(points, 'point')})"


def tasks(state: LessonProgress) -> str:
    """The passed tasks inside the lesson; "" without tasks, or if it is done and none is passed."""
    part = state.tasks_passed
    if part.of and (part.done or state.standing != "done"):
        return f"{share(part, 'task')} passed"
    return ""


def questions(state: LessonProgress) -> str:
    """The answered questions of the lesson; "" without questions."""
    predicted, right = state.predicted, state.right
    came = f" ({state.true} came true)" if state.true else ""
    asked = [
        (predicted, f"{share(predicted, 'prediction')} made{came}"),
        (right, f"{share(right, 'question')} right"),
    ]
    return ", ".join(
        said for part, said in asked if part.of and (part.done or state.standing != "done")
    )


def coming(progress: Progress) -> str:
    """The next step, as the end of a sentence."""
    if progress.next is None:
        return f"nothing. {finished(progress)}"
    state, exercise = progress.next.state, progress.next.exercise
    if exercise is None:
        lesson = state.lesson
        return f"lesson {lesson.number}, “{lesson.title}” (about {lesson.time})."
    if not state.tried:
        return f"{assignment(state)} ({whole_assignment(state)})."
    return (
        f"“{exercise.title}” in `{state.lesson.assignment}` (`{exercise.name}`, about "
        f"{exercise.minutes} minutes)."
    )


def passed(progress: Progress) -> str:
    """The passed part of the whole course, as in "2 of 8 tasks and 0 of 49 exercises passed"."""
    tasks = f"{share(progress.tasks_passed, 'task')} and " if progress.tasks_passed.of else ""
    return f"{tasks}{share(progress.passed, 'exercise')} passed"


def finished(progress: Progress) -> str:
    """The sentence for a learner who has passed every exercise."""
    return (
        f"You have solved every exercise of the course: "
        f"{counted(progress.passed.of, 'exercise')}, {counted(progress.points.of, 'point')}."
    )


def share(part: Share, one: str, many: str | None = None) -> str:
    """A share with its noun: "2 of 8 tasks"."""
    return f"{part.done} of {counted(part.of, one, many)}"
