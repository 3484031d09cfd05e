"""The sandbox of this computer: the best level that passes its trials, or an error."""

import os
import platform
import sys
from datetime import datetime

import psutil

from course_command.machine_check import MachineCheck
from course_grading.judge.slowness import SLOW, slowness
from course_grading.sandbox import Level, Limits, probe
from course_utils.errors import CourseError

GUIDE = "site/guides/instructors.md"


def sandbox() -> MachineCheck:
    """The line of `course doctor` about the sandbox."""
    detail, repair = f"not available on {platform.system()}", "use Linux (on Windows: WSL)."
    if sys.platform.startswith("linux"):
        probed = probe()
        detail = f"submissions run at the level {probed.level.name}"
        if probed.level >= Level.NO_CGROUPS:
            return MachineCheck("Sandbox", True, detail)
        repair = f"repair this: {' '.join(probed.lacks)}"
    effect = "Learners do not need it. Submissions of other people cannot be graded here."
    return MachineCheck("Sandbox", False, detail, effect, f"To grade other people's code, {repair}")


def level_or_refuse(minimum: Level) -> Level:
    """The level of this computer. Raises CourseError, with what it lacks, if below `minimum`."""
    probed = probe()
    if probed.level < minimum:
        lacks = " ".join(probed.lacks)
        raise CourseError(
            f"The sandbox of this computer has the level {probed.level.name}, and grading needs "
            f"{minimum.name}. {lacks} Grade on another computer, or allow this level with "
            f"`--minimum {probed.level.name.lower()}`. A table in section 2 of {GUIDE} compares "
            "the levels."
        )
    return probed.level


def describe_machine() -> str:
    """The sandbox level of this computer, what better levels lack, its memory, load and clock."""
    probed = probe()
    cores, slow = len(os.sched_getaffinity(0)), slowness()
    memory, swap = psutil.virtual_memory(), psutil.swap_memory()
    wanted = Limits().memory * cores
    advice = "" if memory.available >= wanted else " Use fewer workers with --workers."
    lines = [
        f"Submissions run at the level {probed.level.name} here.",
        *probed.lacks,
        f"Memory: {_gib(memory.available)} are free, and {cores} workers can need {_gib(wanted)} "
        f"for submissions.{advice}",
    ]
    if swap.total and probed.level < Level.FULL:
        lines.append(
            f"Swap: {_gib(swap.total)}. Below the level FULL, a submission can fill it and slow "
            "down all others."
        )
    busy = f" Above {SLOW:.0f}, an answer that waits too long is held." if slow > SLOW / 2 else ""
    now = datetime.now().astimezone()
    load = f"Load: {os.getloadavg()[0]:.1f} on {cores} cores; one second of processor time takes"
    clock = f"Clock: {now:%d %B %Y, %H:%M:%S %z}. `nbgrader submit` takes its times from it."
    return "\n".join([*lines, f"{load} {slow:.1f} seconds.{busy}", clock])


def _gib(size: float) -> str:
    return f"{size / (1 << 30):.1f} GiB"
