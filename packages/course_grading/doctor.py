"""The sandbox of this computer: for a run the best one that really holds, or a refusal."""

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
    """What `course doctor` tells of it."""
    if not sys.platform.startswith("linux"):
        return MachineCheck(
            "Sandbox",
            False,
            f"there is none on {platform.system()}",
            "Learners lose nothing; submissions of others cannot be graded here.",
            "To grade other people's code, use Linux (on Windows: WSL).",
        )
    probed = probe()
    detail = f"submissions run at the level {probed.level.name}"
    if probed.level >= Level.NO_CGROUPS:
        return MachineCheck("Sandbox", True, detail)
    return MachineCheck(
        "Sandbox",
        False,
        detail,
        "Learners lose nothing; `course grade` refuses to grade here as it is.",
        f"To grade other people's code: {' '.join(probed.lacks)}",
    )


def level_or_refuse(minimum: Level) -> Level:
    """Raises CourseError, with what was lacking, if the machine gives less than `minimum`."""
    probed = probe()
    if probed.level < minimum:
        lacks = " ".join(probed.lacks)
        raise CourseError(
            f"Submissions would run at the level {probed.level.name}, and {minimum.name} is asked "
            f"for: {lacks} Grade on another computer, or accept less with `--minimum "
            f"{probed.level.name.lower()}`; the table in section 2 of {GUIDE} says what each level "
            "keeps in."
        )
    return probed.level


def level_called(name: str) -> Level:
    """The level of a name such as "no_cgroups". Raises CourseError if there is none."""
    try:
        return Level[name.upper()]
    except KeyError:
        names = ", ".join(level.name.lower() for level in reversed(Level))
        raise CourseError(f"There is no sandbox called {name!r}: choose one of {names}.") from None


def describe_machine() -> str:
    """The level that this machine gives, what each better one lacked, and what a run finds here."""
    probed = probe()
    cores, slow = len(os.sched_getaffinity(0)), slowness()
    memory, swap = psutil.virtual_memory(), psutil.swap_memory()
    wanted = Limits().memory * cores
    advice = "" if memory.available >= wanted else " Name fewer with --workers."
    lines = [
        f"Submissions run at the level {probed.level.name} here.",
        *probed.lacks,
        f"Memory: {_gib(memory.available)} are free, and {cores} workers may need {_gib(wanted)} "
        f"for submissions.{advice}",
    ]
    if swap.total and probed.level < Level.FULL:
        lines.append(
            f"Swap: {_gib(swap.total)}. Below FULL a submission can fill it, and slow all others."
        )
    busy = f" Above {SLOW:.0f}, an answer that waits too long is held." if slow > SLOW / 2 else ""
    now = datetime.now().astimezone()
    return "\n".join(
        (
            *lines,
            f"Load: {os.getloadavg()[0]:.1f} on {cores} cores; a second of computing takes "
            f"{slow:.1f}.{busy}",
            f"Clock: {now:%d %B %Y, %H:%M:%S %z}. By it `nbgrader submit` notes who is late.",
        )
    )


def _gib(size: float) -> str:
    return f"{size / (1 << 30):.1f} GiB"
