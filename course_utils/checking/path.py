"""The path through the course, and where a learner is on it. Plain data: who shows it, words it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from course_utils.checking.questions import Prediction, Quiz, questions_file, read_questions
from course_utils.checking.record import Record
from course_utils.manifest import Assignment, Course, Exercise, Lesson, load_manifest

Standing = Literal["done", "begun", "new"]

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
        tried = any(standing != "new" for _, standing in self.exercises)
        if self.passed.done == self.passed.of if self.exercises else self.read:
            return "done"
        return "begun" if tried or self.answered else "new"

    @property
    def _done(self) -> list[Exercise]:
        return [exercise for exercise, standing in self.exercises if standing == "done"]


@dataclass(frozen=True)
class Step:
    """What comes next: an exercise of a station's assignment, or its lesson (`exercise` None)."""

    station: Station
    exercise: Exercise | None


@dataclass(frozen=True)
class Path:
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


def path_of(record: Record) -> Path:
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
    return Path(course, stations, _next(stations, here))


def _station(
    course: Course,
    lesson: Lesson,
    latest: Mapping[tuple[str, str], Mapping[str, Any]],
    passed: set[str],
) -> Station:
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
            (
                each,
                "done"
                if each.name in passed
                else "begun"
                if ("check", each.name) in latest
                else "new",
            )
            for each in (assignment.exercises if assignment else ())
        ),
    )


def _right(latest: Mapping[tuple[str, str], Mapping[str, Any]], kind: str, keys: list[str]) -> int:
    return sum(bool(latest.get((kind, key), {}).get("right")) for key in keys)


def _next(stations: tuple[Station, ...], here: str) -> Step | None:
    """From the lesson where the learner was last, on to the end; then what was left behind."""
    first = next((n for n, each in enumerate(stations) if each.lesson.number == here), 0)
    for station in (*stations[first:], *stations[:first]):
        if station.standing == "done":
            continue
        left = [exercise for exercise, standing in station.exercises if standing != "done"]
        tried = len(left) < len(station.exercises) or any(
            standing == "begun" for _, standing in station.exercises
        )
        return Step(station, left[0] if left and (station.read or tried) else None)
    return None


def _sum(shares: Iterable[Share]) -> Share:
    parts = list(shares)
    return Share(sum(part.done for part in parts), sum(part.of for part in parts))
