"""How far a learner is, in words: lesson by lesson, what comes next, and when something is done."""

from collections.abc import Sequence

from course_utils.checking.path import Path, Share, Station, Step, path_of
from course_utils.checking.record import Record
from course_utils.manifest import Part

MARKS = {"done": "✓", "begun": "…", "new": "○"}


def lines(path: Path) -> list[tuple[str, str]]:
    """A lead and a text for each line: the whole course, each lesson, and what comes next."""
    return [
        (f"{share(path.passed, 'exercise')} passed.", f"{share(path.points, 'point')}."),
        *((heading(station), f"{done(station)}.") for station in path.stations),
        ("Next:", coming(path)),
    ]


def details(path: Path, parts: Sequence[Part]) -> list[tuple[str, str]]:
    """The same for the lessons that `parts` are of, and a line for each exercise in `parts`."""
    lessons = {part.lesson.number for part in parts}
    wanted = {exercise.name for part in parts for exercise in part.exercises}
    told = []
    for station in path.stations:
        if station.lesson.number in lessons:
            told.append((heading(station), f"{done(station)}."))
            told += [
                (
                    f"  {MARKS[standing]} {exercise.name}:",
                    f"{exercise.title} ({_count(exercise.points, 'point')})",
                )
                for exercise, standing in station.exercises
                if exercise.name in wanted
            ]
    return told


def milestone(name: str, record: Record) -> str:
    """What to say after exercise `name` has passed: "" until its whole assignment has."""
    path = path_of(record)
    for station in path.stations:
        if station.standing == "done" and name in {each.name for each, _ in station.exercises}:
            return (
                f"All {station.passed.of} exercises of `{station.lesson.assignment}` are "
                f"passed: {_count(station.points.of, 'point')}. Next: {coming(path)}"
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
        return f"{_count(passed.of, 'exercise')}, {_count(points.of, 'point')}"
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


def coming(path: Path) -> str:
    """What comes next, as a sentence."""
    if path.next is None:
        return f"nothing. {finished(path)}"
    return f"{step(path.next)}."


def finished(path: Path) -> str:
    return (
        f"You have solved every exercise of the course: "
        f"{_count(path.passed.of, 'exercise')}, {_count(path.points.of, 'point')}."
    )


def step(following: Step) -> str:
    station, exercise = following.station, following.exercise
    if exercise is None:
        lesson = station.lesson
        return f"lesson {lesson.number}, “{lesson.title}” (about {lesson.time})"
    return (
        f"“{exercise.title}” in `{station.lesson.assignment}` (`{exercise.name}`, about "
        f"{exercise.minutes} minutes)"
    )


def share(part: Share, one: str, many: str = "") -> str:
    return f"{part.done} of {_count(part.of, one, many)}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
