"""How far a learner is: as plain data, and in words."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from course_utils.checking.questions import Prediction, Quiz, questions_file, read_questions
from course_utils.checking.record import Record
from course_utils.manifest import Assignment, Course, Exercise, Lesson, Part, load_manifest
from course_utils.words import counted

Standing = Literal["done", "begun", "new"]
MARKS: Mapping[Standing, str] = {"done": "✓", "begun": "…", "new": "○"}

_Events = Mapping[tuple[str, str], Mapping[str, Any]]
"""The latest event of each kind, by kind and name."""

_ASKED = ("predict", "reveal", "claim", "verdict", "quiz")
_EXERCISED = ("check", "hint", "solution")


@dataclass(frozen=True)
class Share:
    """So many `of` all."""

    done: int
    of: int


@dataclass(frozen=True)
class Station:
    """A lesson with its assignment, and what a learner has done of both.

    predicted: predictions made. true: those that came true. right: quizzes answered right.
    read: whether the questions at the lesson's end are answered, or all of them.
    exercises: each with its standing; "begun" is one that was checked and has not passed yet.
    """

    lesson: Lesson
    assignment: Assignment | None
    predicted: Share
    true: int
    right: Share
    answered: int
    read: bool
    exercises: tuple[tuple[Exercise, Standing], ...]

    @property
    def passed(self) -> Share:
        return Share(len(self._done), len(self.exercises))

    @property
    def points(self) -> Share:
        return Share(
            sum(each.points for each in self._done), sum(each.points for each, _ in self.exercises)
        )

    @property
    def standing(self) -> Standing:
        """Done is a lesson whose exercises are all passed, or that is read and has none."""
        if self.passed.done == self.passed.of if self.exercises else self.read:
            return "done"
        return "begun" if self.tried or self.answered else "new"

    @property
    def tried(self) -> bool:
        """Whether any of the exercises was checked."""
        return any(standing != "new" for _, standing in self.exercises)

    @property
    def _done(self) -> list[Exercise]:
        return [exercise for exercise, standing in self.exercises if standing == "done"]


@dataclass(frozen=True)
class Step:
    """What comes next: an exercise of a station's assignment, or its lesson (`exercise` None)."""

    station: Station
    exercise: Exercise | None


@dataclass(frozen=True)
class Progress:
    """Every station in order. next: None when every exercise is passed."""

    course: Course
    stations: tuple[Station, ...]
    next: Step | None

    @property
    def passed(self) -> Share:
        return _sum(station.passed for station in self.stations)

    @property
    def points(self) -> Share:
        return _sum(station.points for station in self.stations)


def progress_of(record: Record) -> Progress:
    """Where the learner of `record` is."""
    course = load_manifest()
    latest: dict[tuple[str, str], Mapping[str, Any]] = {}
    passed, here = set[str](), ""
    lesson_of = {
        exercise.name: assignment.lesson
        for assignment in course.assignments
        for exercise in assignment.exercises
    }
    for event in record.everything():
        kind, name = event["kind"], str(event["name"])
        latest[kind, name] = event
        if kind == "check" and event.get("outcome") == "Passed":
            passed.add(name)  # it stays passed, whatever is tried with it later
        if kind in _ASKED:
            here = name[:2]
        elif kind in _EXERCISED:
            here = lesson_of.get(name, here)
    stations = tuple(_station(course, lesson, latest, passed) for lesson in course.lessons)
    return Progress(course, stations, _next(stations, here))


def _station(course: Course, lesson: Lesson, latest: _Events, passed: set[str]) -> Station:
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
    return Station(
        lesson,
        assignment,
        predicted=Share(len(answered.intersection(predictions)), len(predictions)),
        true=_right(latest, "reveal", predictions),
        right=Share(_right(latest, "quiz", quizzes), len(quizzes)),
        answered=len(answered),
        read=bool(last) and last <= answered,
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


def _next(stations: tuple[Station, ...], here: str) -> Step | None:
    """From the lesson where the learner was last, on to the end; then what was left behind."""
    first = next((n for n, each in enumerate(stations) if each.lesson.number == here), 0)
    for station in (*stations[first:], *stations[:first]):
        if station.standing == "done":
            continue
        left = [exercise for exercise, standing in station.exercises if standing != "done"]
        return Step(station, left[0] if left and (station.read or station.tried) else None)
    return None


def _sum(shares: Iterable[Share]) -> Share:
    parts = list(shares)
    return Share(sum(part.done for part in parts), sum(part.of for part in parts))


def lines(progress: Progress) -> list[tuple[str, str]]:
    """A lead and a text for each line: the whole course, each lesson, and what comes next."""
    return [
        (f"{share(progress.passed, 'exercise')} passed.", f"{share(progress.points, 'point')}."),
        *((heading(station), f"{done(station)}.") for station in progress.stations),
        ("Next:", coming(progress)),
    ]


def details(progress: Progress, parts: Sequence[Part]) -> list[tuple[str, str]]:
    """The same for the lessons that `parts` are of, and a line for each exercise in `parts`."""
    lessons = {part.lesson.number for part in parts}
    wanted = {exercise.name for part in parts for exercise in part.exercises}
    told = []
    for station in progress.stations:
        if station.lesson.number in lessons:
            told.append((heading(station), f"{done(station)}."))
            told += [
                (
                    f"  {MARKS[standing]} {exercise.name}:",
                    f"{exercise.title} ({counted(exercise.points, 'point')})",
                )
                for exercise, standing in station.exercises
                if exercise.name in wanted
            ]
    return told


def milestone(name: str, record: Record) -> str:
    """What to say after exercise `name` has passed: "" until its whole assignment has."""
    progress = progress_of(record)
    for station in progress.stations:
        if station.standing == "done" and name in {each.name for each, _ in station.exercises}:
            return (
                f"All {station.passed.of} exercises of `{station.lesson.assignment}` are "
                f"passed: {counted(station.points.of, 'point')}. Next: {coming(progress)}"
            )
    return ""


def heading(station: Station) -> str:
    return f"{MARKS[station.standing]} {station.lesson.number} {station.lesson.title}:"


def done(station: Station) -> str:
    """What is done of a lesson and its assignment; of one that is new, what there is to do."""
    if station.standing == "new":
        parts = [station.lesson.time, exercises(station)]
    else:
        parts = [exercises(station), questions(station)]
    return ", ".join(filter(None, parts))


def exercises(station: Station) -> str:
    """What is passed of the assignment; of one that is new, what there is. "" without one."""
    passed, points = station.passed, station.points
    if not passed.of:
        return ""
    if station.standing == "new":
        return f"{counted(passed.of, 'exercise')}, {counted(points.of, 'point')}"
    return f"{share(passed, 'exercise')} passed ({share(points, 'point')})"


def questions(station: Station) -> str:
    """What is answered in the lesson itself, as far as it asks; of one that is done, what was."""
    predicted, right = station.predicted, station.right
    came = f" ({station.true} came true)" if station.true else ""
    asked = [
        (predicted, f"{share(predicted, 'prediction')} made{came}"),
        (right, f"{share(right, 'quiz', 'quizzes')} right"),
    ]
    return ", ".join(
        said for part, said in asked if part.of and (part.done or station.standing != "done")
    )


def coming(progress: Progress) -> str:
    """What comes next, as a sentence."""
    if progress.next is None:
        return f"nothing. {finished(progress)}"
    station, exercise = progress.next.station, progress.next.exercise
    if exercise is None:
        lesson = station.lesson
        return f"lesson {lesson.number}, “{lesson.title}” (about {lesson.time})."
    return (
        f"“{exercise.title}” in `{station.lesson.assignment}` (`{exercise.name}`, about "
        f"{exercise.minutes} minutes)."
    )


def finished(progress: Progress) -> str:
    return (
        f"You have solved every exercise of the course: "
        f"{counted(progress.passed.of, 'exercise')}, {counted(progress.points.of, 'point')}."
    )


def share(part: Share, one: str, many: str | None = None) -> str:
    return f"{part.done} of {counted(part.of, one, many)}"
