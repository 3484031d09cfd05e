"""Why the process of an answer ended before it replied: the answer's fault, or another cause."""

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from course_grading.protocol import ProcessEnded, ProtocolError
from course_grading.sandbox import OUR_FAULT, Limits
from exercise_kit.outcomes import CouldNotGrade

_MIB = 1 << 20


@dataclass(frozen=True)
class Died(CouldNotGrade):
    """The process of an answer ended. own: the reason for the student, if it is the answer's fault.

    A native crash can be the grader's fault, and a kill from outside the computer's. Then it is "".
    """

    own: str = ""


def how_it_died(problem: ProtocolError, account: Mapping[str, Any], limits: Limits) -> Died:
    """The reason why a process ended. problem: what the judge saw.

    account: the message of the supervisor (`confine`). An answer can forge it, so an impossible
        account is ignored.
    """
    try:
        status, peak, seconds = (account[name] for name in ("status", "peak", "seconds"))
        used = f"{peak / _MIB:.0f} MiB at most, {seconds:.1f} s of processor time"
        code = os.waitstatus_to_exitcode(status)
        by = f"by {signal.Signals(-code).name}" if code < 0 else "by a fault of the grader"
    except (KeyError, TypeError, ValueError, OverflowError):
        return Died(str(problem))
    if not isinstance(problem, ProcessEnded):
        return Died(f"{problem} ({used})")
    own = ""
    if account.get("oom_kill"):
        own = f"it used more memory than the limit of {limits.memory // _MIB} MiB"
    elif code == -signal.SIGXCPU:
        own = f"it used more than {limits.cpu_seconds} seconds of processor time"
    elif code == -signal.SIGXFSZ:
        own = f"it wrote a file of more than {limits.file_bytes // _MIB} MiB"
    elif code < 0 and account.get("max"):
        own = f"it started more than {limits.processes} processes and threads"
    elif code >= 0 and code != OUR_FAULT:
        own = f"it ended Python with the exit code {code}"
    return Died(f"{problem}: {own or by} ({used})", own)
