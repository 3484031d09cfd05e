"""The run that a learner reads before a diagnosis, drawn from a number that the learner chooses."""

from course_utils.checking.exercises import exercise
from course_utils.checking.mode import AUTOGRADING
from course_utils.checking.practice import use_virtual_gpus
from course_utils.errors import CourseError
from course_utils.usage import written

_MOST = 9999


@written('`show_run("toolbox.what_grows", 17)`: the exercise\'s name, then a number of your own')
def show_run(name: str, run: int) -> None:
    """Draw a program from the number `run`, run it, and print it with its output.

    run: from 1 to 9999. Raises CourseError for another number, or an exercise without runs.
    """
    if type(run) is not int or not 1 <= run <= _MOST:
        raise CourseError(f"Runs have the numbers 1 to {_MOST}; you asked for {run!r}.")
    if AUTOGRADING:
        return  # no person reads it
    known = exercise(name)
    if not (known.path / "run.py").is_file():
        raise CourseError(f"{name} has no runs to show. Read its task.")
    use_virtual_gpus()
    print(known.module("run").show(run))
