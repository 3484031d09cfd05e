"""What a call of torch answers, whether it starts CUDA, and what a fork after it can do."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from course_utils.errors import CourseError
from course_utils.experiments.children import run_child

# CUDA starts once in a process, so every call gets one of its own. A fork of a process that has
# imported torch and done nothing else is as good as a fresh one, and much cheaper.
_PROGRAM = """
import json, os, sys, torch
def fork_is_bad():
    child = os.fork()
    if not child:
        os._exit(torch.cuda._is_in_bad_fork())
    return bool(os.waitpid(child, 0)[1])
for call in {calls}:
    sys.stdout.flush()
    child = os.fork()
    if not child:
        try:
            answer = repr(eval(call))
        except Exception as error:
            answer = f"{{type(error).__name__}}: {{error}}"
        line = json.dumps([call, answer, torch.cuda.is_initialized(), fork_is_bad()])
        os.write(sys.stdout.fileno(), f"{{line}}\\n".encode())
        os._exit(0)
    os.waitpid(child, 0)
"""


@dataclass(frozen=True)
class Answer:
    """A call, and the `repr` of what it gave (or its error).

    starts: whether CUDA runs afterwards. spoils_fork: whether children that are forked afterwards
    cannot use CUDA.
    """

    call: str
    gave: str
    starts: bool
    spoils_fork: bool


def answers(calls: Sequence[str]) -> list[Answer]:
    """Try each of `calls` in a process in which CUDA has not been started.

    Raises CourseError if the processes cannot be made.
    """
    told = run_child(_PROGRAM.format(calls=list(calls)))
    try:
        return [Answer(*json.loads(line)) for line in told.splitlines()]
    except (ValueError, TypeError):
        raise CourseError(f"The child process could not try the calls: {told}") from None
