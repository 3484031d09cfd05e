"""How many GPUs the cases need, and that each case is right on a machine with just so many."""

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from course_utils.checking.exercises import exercise, exercise_names
from course_utils.manifest import repository_root
from exercise_kit.fitting import needed

OWN_ANSWERS = Path(__file__).with_name("own_answers_on.py")


def test_the_table_in_contributing_is_true():
    most, cases = Counter(), Counter()
    for known in map(exercise, exercise_names()):
        needs = [needed(known.observer, case) for case in known.public_cases]
        most[max(needs)] += 1
        cases.update(needs)
    total, fit, rows = cases.total(), 0, []
    for gpus in sorted(cases):
        fit += cases[gpus]
        rows.append(f"| {gpus} | {most[gpus]} | {cases[gpus]} | {fit / total:.0%} |")
    page = (repository_root() / "CONTRIBUTING.md").read_text()
    assert "|---|---|---|---|\n" + "\n".join(rows) + "\n\n" in page, "\n".join(rows)


@pytest.mark.more
@pytest.mark.parametrize("gpus", [1, 2])
def test_own_answers_pass_the_cases_that_fit(gpus):
    command = [sys.executable, str(OWN_ANSWERS), str(gpus)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, f"{gpus} GPUs\n"), done.stdout + done.stderr
