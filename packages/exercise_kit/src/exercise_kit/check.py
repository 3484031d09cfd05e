"""An exercise and an answer in one process: what practice and proof come to."""

from typing import Any, NamedTuple

from exercise_kit.engine import examine
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import Report
from exercise_kit.runner import Runner


class Checked(NamedTuple):
    """report: what came of the answer. runner: what it printed, and whether it left threads."""

    report: Report
    runner: Runner


def check(exercise: Exercise, answer: Any, *seeds: str | None) -> Checked:
    """Put the public cases to `answer` and, given seeds, those drawn from them (None is no seed).

    Raises ExerciseError for a mistake of the exercise's author.
    """
    runner = Runner(exercise.observer, answer, exercise.world)
    drawn = [exercise.hidden_cases(seed) for seed in seeds if seed is not None]
    hidden = [case for cases in drawn for case in cases] if drawn else None
    public = exercise.public_cases
    report = examine(exercise.name, exercise.judge, runner, public, hidden, anew=runner.anew)
    return Checked(report, runner)
