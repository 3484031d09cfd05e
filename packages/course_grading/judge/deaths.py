"""Why the process of an answer ended before it replied: by the answer's own doing, or else."""

import os
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from course_grading.protocol import ProcessEnded, ProtocolError
from course_grading.sandbox import OUR_FAULT, Limits
from exercise_kit.outcomes import CouldNotGrade

_MIB = 1 << 20
_LARGEST_STATUS = 0xFFFF


@dataclass(frozen=True)
class Died(CouldNotGrade):
    """own: whether the answer alone can have done it, and the reason in words for its student.

    A native crash may be ours, and what killed it from outside is the machine's doing.
    """

    own: str = ""


def how_it_died(problem: ProtocolError, account: Mapping[str, Any], limits: Limits) -> Died:
    """account: the supervisor's (`confine`). problem: what the judge saw.

    An answer can write such an account as well: one that no process can have is none.
    """
    try:
        return _told(problem, account, limits)
    except (OverflowError, ValueError):
        return Died(str(problem))


def _told(problem: ProtocolError, account: Mapping[str, Any], limits: Limits) -> Died:
    match account:
        case {"status": int(status), "peak": int(peak), "seconds": float() | int() as seconds} if (
            0 <= status <= _LARGEST_STATUS
        ):
            used = f"{peak / _MIB:.0f} MiB at most, {seconds:.1f} s of processor time"
        case _:
            return Died(str(problem))
    if not isinstance(problem, ProcessEnded):
        return Died(f"{problem} ({used})")
    code = os.waitstatus_to_exitcode(status)
    own = ""
    if account.get("oom_kill"):
        own = f"it took more memory than the {limits.memory // _MIB} MiB that there are for it"
    elif code == -signal.SIGXCPU:
        own = f"it computed for more than {limits.cpu_seconds} seconds"
    elif code == -signal.SIGXFSZ:
        own = f"it wrote a file of more than {limits.file_bytes // _MIB} MiB"
    elif code < 0 and account.get("max"):
        own = f"it started more than {limits.processes} processes and threads"
    elif code >= 0 and code != OUR_FAULT:
        own = f"it left Python, with the exit code {code}"
    by = f"by {signal.Signals(-code).name}" if code < 0 else "by a fault of the grader's own"
    return Died(f"{problem}: {own or by} ({used})", own)
