"""On a fifth of a core, in a fresh process, every right answer passes: no clock decides."""

import contextlib
import os
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from course_utils.manifest import load_manifest

NAMES = [each.name for entry in load_manifest().assignments for each in entry.exercises]
PROCESSES = 3
CPU = Path("/sys/fs/cgroup/cpu")
SCRIPT = """
import os, sys
group, *names = sys.argv[1:]
if group:
    open(group, "w").write(str(os.getpid()))
else:
    os.sched_setaffinity(0, {0})
from course_utils import check
from exercise_kit.corpus import load_answer
from course_utils.checking.exercises import exercise
from exercise_kit.reference import reference

for name in names:
    answer = load_answer(reference(exercise(name).path), exercise(name).short, name)
    for seed in (None, "a seed of grading"):
        print(name, check(name, answer, seed=seed).report.outcome)
"""

pytestmark = [pytest.mark.slow, pytest.mark.more, pytest.mark.timeout(1200)]


@contextlib.contextmanager
def a_fifth_of_a_core() -> Iterator[str]:
    """The file of a control group that a process joins, or "" if four others hold its core."""
    group = CPU / f"course-{uuid.uuid4().hex[:8]}"
    try:
        group.mkdir()
        (group / "cpu.cfs_period_us").write_text("100000")
        (group / "cpu.cfs_quota_us").write_text("20000")
    except OSError:
        busy = [
            subprocess.Popen(
                [sys.executable, "-c", "import os\nos.sched_setaffinity(0, {0})\nwhile True: pass"]
            )
            for _ in range(4)
        ]
        try:
            yield ""
        finally:
            for process in busy:
                process.kill()
                process.wait()
    else:
        try:
            yield str(group / "tasks")
        finally:
            group.rmdir()


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="needs Linux to hold a core")
def test_every_reference_passes():
    """In a few processes at once: most of the time they wait for their turn."""
    with contextlib.ExitStack() as stack:
        running = [
            subprocess.Popen(
                [
                    sys.executable,
                    "-c",
                    SCRIPT,
                    stack.enter_context(a_fifth_of_a_core()),
                    *NAMES[number::PROCESSES],
                ],
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            for number in range(PROCESSES)
        ]
        printed = "\n".join(process.communicate()[0] for process in running)
    outcomes = [line for line in printed.splitlines() if line.split(" ")[0] in NAMES]
    assert len(outcomes) == 2 * len(NAMES), printed
    assert [line for line in outcomes if " Passed(" not in line] == []
