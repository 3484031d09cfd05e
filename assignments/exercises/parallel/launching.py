"""`run_ranks`: a program that runs in two processes, each with its own facts."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from course_utils.experiments.fork_server import start_program
from course_utils.program.observer import environment
from exercise_kit.programs.launcher import read

RANKS = 2
_PATIENCE = 60.0  # seconds
_AROUND = """
import json, os, pathlib

found = [None, ""]
try:
    exec(compile({program!r}, "script.py", "exec"), globals())
    found[0] = facts()
except Exception as error:
    found[1] = f"{{type(error).__name__}}: {{error}}"
    raise
finally:  # of each rank apart: what they print may mix
    pathlib.Path(f"rank-{{os.environ['RANK']}}.json").write_text(json.dumps(found))
"""


def run_ranks(program: str) -> tuple[list[Any], str]:
    """What `facts()` of the program returns on each rank, and the first error, or "".

    There is a number of virtual GPUs that is larger than the number of ranks. If a rank fails,
    the list is empty.
    """
    with TemporaryDirectory() as name:
        file = Path(name, "ranks.py")
        file.write_text(_AROUND.format(program=program), encoding="utf-8")
        env = environment(RANKS + 2)
        with start_program([str(file)], env, Path(name), ranks=RANKS) as running:
            _, ended = read(running, _PATIENCE)
        files = [Path(name, f"rank-{rank}.json") for rank in range(RANKS)]
        found = [json.loads(each.read_text("utf-8")) for each in files if each.exists()]
    errors = [error for _, error in found if error]
    if any("Duplicate GPU detected" in error for error in errors):
        return [], "Duplicate GPU detected"  # by a rank, while the other waits or fails, too
    if errors:
        return [], errors[0].splitlines()[0]
    if len(found) < RANKS:
        return [], "a rank has ended early" if ended else "a rank still waits"
    return [facts for facts, _ in found], ""


def by_rank(values: list[Any]) -> dict[str, Any]:
    """A value of each rank, by the name of the rank."""
    return {f"rank {rank}": value for rank, value in enumerate(values)}
