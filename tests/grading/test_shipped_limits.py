"""How long a submission may compute, wait and stay if nobody says otherwise.

Other tests set limits of their own, of seconds; this one waits for those that are shipped.
"""

import contextlib
import json
import time

import pytest
from courses import due, filled_in, hidden, level, references, released
from written import with_own

from course_grading.executor import JudgeProcess
from course_grading.job import GradingSettings, Job
from course_grading.run.course import steps_of
from course_notebooks.reading import parse_submission
from course_notebooks.rebuild import rebuild
from exercise_kit.limits import wall_limit

ASSIGNMENT = "10_saving"
COMPUTING = 5.0
"""Seconds of processor time that a case of these two exercises may take."""

SLEEPS = "def load_partial(*arguments):\n    import time\n    time.sleep(100_000)"
SPINS = "def load_anywhere(*arguments):\n    while True:\n        pass"
OWN = (
    ("before load_partial", "while True:\n    pass"),
    ("end", "import threading, time\nthreading.Thread(target=time.sleep, args=[100_000]).start()"),
)


@pytest.mark.slow
@pytest.mark.more
def test_shipped_limits_stop_what_has_no_end_and_nothing_else():
    answers = references(ASSIGNMENT) | {"load_partial": SLEEPS, "load_anywhere": SPINS}
    handed_in = filled_in(ASSIGNMENT, answers)
    handed_in["cells"] = list(with_own(handed_in["cells"], OWN))
    notebook = parse_submission(json.dumps(handed_in).encode(), "mallory")
    job = Job("mallory", ASSIGNMENT, steps_of(rebuild(released(ASSIGNMENT), notebook).notebook))
    settings = GradingSettings(hidden(ASSIGNMENT), level())
    with contextlib.closing(JudgeProcess(settings)) as judge_process:
        begun = time.monotonic()
        graded = judge_process.grade(job)
        took = time.monotonic() - begun
    found = {each.exercise.partition(".")[2]: each for each in graded.verdicts}
    spun, slept = (found.pop(name) for name in ("load_anywhere", "load_partial"))
    assert spun.kind == "timed-out"
    # On a computer that was busy meanwhile, waiting is held instead, and says so.
    assert slept.kind == "timed-out" or (slept.kind == "held" and "times slower" in slept.why)
    assert all(each.points == due(each) for each in found.values())
    waited = wall_limit(COMPUTING) + settings.times.letting_go
    assert took > settings.times.cell + COMPUTING + waited
