"""The check of an answer in this process, for practice and for the proof of an exercise."""

from typing import Any, NamedTuple

from exercise_kit.engine import examine
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import Report
from exercise_kit.runner import Runner


class Checked(NamedTuple):
    """The result of a check. runner: has the printed text, and whether threads were left."""

    report: Report
    runner: Runner


def check(exercise: Exercise, answer: Any, *seeds: str | None) -> Checked:
    """The result of `answer` on the public cases, and on the hidden cases of each seed.

    seeds: None is ignored. Raises ExerciseError for a mistake of the exercise's author.
    """
    runner = Runner(exercise.observer, answer, exercise.world)
    drawn = [exercise.hidden_cases(seed) for seed in seeds if seed is not None]
    hidden = [case for cases in drawn for case in cases] if drawn else None
    public = exercise.public_cases
    report = examine(exercise.name, exercise.judge, runner, public, hidden, anew=runner.anew)
    return Checked(report, runner)
