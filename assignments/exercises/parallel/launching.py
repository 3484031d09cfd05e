"""`run_ranks`: a program that runs in two processes, each with its own facts."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course_utils.experiments.fork_server import start_program
from course_utils.program.observer import environment
from exercise_kit.programs.launcher import raise_fault, read

RANKS = 2
_PATIENCE = 60.0  # seconds
_END = """
import json, os, pathlib
found = [None, ""]
try:
    found[0] = facts()
except Exception as error:
    found[1] = f"{type(error).__name__}: {error}"
    raise
finally:  # of each rank apart: what they print may mix
    pathlib.Path(f"rank-{os.environ['RANK']}.json").write_text(json.dumps(found))
"""


def run_ranks(program: str) -> tuple[list[Any], str]:
    """What `facts()` of the program returns on each rank, and the first error, or "".

    There is a number of virtual GPUs that is larger than the number of ranks. If a rank fails,
    the list is empty. Raises LaunchFault for a failure that is not the program's fault.
    """
    with TemporaryDirectory() as name:
        file = Path(name, "ranks.py")
        file.write_text(program + _END, encoding="utf-8")
        env = environment(RANKS + 2)
        with start_program([str(file)], env, Path(name), ranks=RANKS) as running:
            printed, ended = read(running, _PATIENCE)
        raise_fault(running)
        files = [Path(name, f"rank-{rank}.json") for rank in range(RANKS)]
        found = [json.loads(each.read_text("utf-8")) for each in files if each.exists()]
    errors = [error for _, error in found if error]
    if any("Duplicate GPU detected" in error for error in errors):
        return [], "Duplicate GPU detected"  # by a rank, while the other waits or fails, too
    if len(found) < RANKS:  # before `facts`, or stopped because the other rank has failed
        lines = [line.partition("]: ")[2] or line for line in printed.splitlines()]
        errors += [line for line in lines if line.partition(":")[0].endswith("Error")]
        errors.append("a rank has ended early" if ended else "a rank still waits")
    errors.sort(key=lambda error: "by peer" in error)  # what came of another rank's error is last
    return ([], errors[0].splitlines()[0]) if errors else ([facts for facts, _ in found], "")


def by_rank(values: list[Any]) -> dict[str, Any]:
    """A value of each rank, by the name of the rank."""
    return {f"rank {rank}": value for rank, value in enumerate(values)}
