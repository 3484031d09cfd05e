"""What a learner looks at before a diagnosis: a run, drawn from a number of the learner's own."""

from course_utils.checking.exercises import exercise
from course_utils.checking.mode import AUTOGRADING
from course_utils.checking.practice import use_devices
from course_utils.errors import CourseError
from course_utils.usage import written

_MOST = 9999


@written('`show_run("toolbox.what_grows", 17)`: the exercise\'s name, then a number of your own')
def show_run(name: str, run: int) -> None:
    """Make the program that the number stands for, run it, and print it with what it did.

    run: from 1 to 9999. Raises CourseError for another number, or an exercise that has no runs.
    """
    if type(run) is not int or not 1 <= run <= _MOST:
        raise CourseError(f"Runs have the numbers 1 to {_MOST}; you asked for {run!r}.")
    if AUTOGRADING:
        return  # nobody looks
    known = exercise(name)
    if not (known.path / "run.py").is_file():
        raise CourseError(f"{name} has no runs to look at: its task says what it is about.")
    use_devices()
    print(known.module("run").show(run))
