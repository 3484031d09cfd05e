"""The commands: `python -m exercise_kit COMMAND ROOT …`, for exercises in ROOT/TOPIC/NAME.

new ROOT TOPIC.NAME            make a folder to fill in
build ROOT [TOPIC.NAME …]      write known.json of each exercise
verify ROOT [TOPIC.NAME …]     prove each exercise
check ROOT TOPIC.NAME FILE     check the answer in FILE
"""

import sys
from pathlib import Path

from exercise_kit.check import check
from exercise_kit.corpus import load_answer
from exercise_kit.errors import ExerciseError
from exercise_kit.folder import Exercise
from exercise_kit.outcomes import Failed, outcome_name
from exercise_kit.scaffold import new_folder
from exercise_kit.truth import build
from exercise_kit.verify import Proof, said
from exercise_kit.world import World


def main(arguments: list[str]) -> int:
    """Run the command with these arguments. Returns the exit status."""
    match arguments:
        case ["new", root, name]:
            print(*new_folder(Path(root), name), sep="\n")
        case ["build", root, *names]:
            for exercise in _exercises(Path(root), names):
                print(build(exercise))
        case ["verify", root, *names]:
            return max(map(_verified, _exercises(Path(root), names)), default=0)
        case ["check", root, name, file]:
            return _checked(Exercise(name, Path(root).resolve(), World()), Path(file))
        case _:
            print(__doc__)
            return 2
    return 0


def _exercises(root: Path, names: list[str]) -> list[Exercise]:
    root = root.resolve()
    found = names or [
        f"{task.parts[-3]}.{task.parts[-2]}" for task in sorted(root.glob("*/*/task.md"))
    ]
    return [Exercise(name, root, World()) for name in found]


def _verified(exercise: Exercise) -> int:
    proof = Proof(exercise)
    problems = list(proof.problems())
    for problem in problems:
        print(f"✗ {exercise.name}: {problem}")
    if not problems:
        print(f"✓ {exercise.name}: {proof.counts}")
    return bool(problems)


def _checked(exercise: Exercise, file: Path) -> int:
    answer = load_answer(file.read_text(encoding="utf-8"), exercise.short, str(file))
    report = check(exercise, answer).report
    print(outcome_name(report.outcome), "" if report.passed else f"· {said(report)}")
    if isinstance(report.outcome, Failed):
        words = exercise.words.finding(report.outcome.finding.name)
        print(f"{words.title}: {words.explanation} Next: {words.next_step}")
    return not report.passed


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except ExerciseError as error:
        sys.exit(str(error))
