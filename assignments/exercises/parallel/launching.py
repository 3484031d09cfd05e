"""`run_ranks`: a program in two processes or in one, with facts of each; `OnRanks`: an answer."""

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from course_utils.experiments.fork_server import start_program
from course_utils.program.observer import environment
from exercise_kit import Finding, Observer
from exercise_kit.contract import NotFit
from exercise_kit.definitions import cell_of, definitions
from exercise_kit.programs.launcher import raise_fault, read
from exercise_kit.runner import AnswerRaised

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
finally:  # of each rank apart: what they print may mix; whole or not at all, if it is ended here
    file = f"rank-{os.environ.get('RANK', 0)}.json"
    pathlib.Path(f"new-{file}").write_text(json.dumps(found))
    os.replace(f"new-{file}", file)
"""


def run_ranks(program: str, ranks: int = RANKS) -> tuple[list[Any], str]:
    """What `facts()` of the program returns on each rank, and the first error, or "".

    There is a number of virtual GPUs that is larger than the number of ranks. If a rank fails,
    the list is empty. Raises LaunchFault for a failure that is not the program's fault.
    """
    with TemporaryDirectory() as name:
        file = Path(name, "ranks.py")
        file.write_text(program + _END, encoding="utf-8")
        env = environment(ranks + 2)
        with start_program([str(file)], env, Path(name), ranks=ranks) as running:
            printed, ended = read(running, _PATIENCE)
        raise_fault(running)
        files = [Path(name, f"rank-{rank}.json") for rank in range(ranks)]
        found = [json.loads(each.read_text("utf-8")) for each in files if each.exists()]
    errors = [error for _, error in found if error]
    if any("Duplicate GPU detected" in error for error in errors):
        return [], "Duplicate GPU detected"  # by a rank, while the other waits or fails, too
    if len(found) < ranks:  # before `facts`, or stopped because the other rank has failed
        lines = [line.partition("]: ")[2] or line for line in printed.splitlines()]
        errors += [line for line in lines if line.partition(":")[0].endswith("Error")]
        errors.append("a rank has ended early" if ended else "a rank still waits")
    errors.sort(key=lambda error: "by peer" in error)  # what came of another rank's error is last
    return ([], errors[0].splitlines()[0]) if errors else ([facts for facts, _ in found], "")


def importing(module: ModuleType) -> str:
    """The lines of a program that import a module of a topic, under the last part of its name.

    What the text of a program does counts as the learner's; what a module does, does not. In a
    sandbox its file cannot be read, but programs are forks of this process, and find it here.
    """
    name, folder = module.__name__.rpartition(".")[2], str(Path(str(module.__file__)).parent)
    sys.modules[name] = module
    return f"import sys\nsys.path.insert(0, {folder!r})\nimport {name}\ndel sys.path[0]\n"


def by_rank(values: list[Any]) -> dict[str, Any]:
    """A value of each rank, by the name of the rank."""
    return {f"rank {rank}": value for rank, value in enumerate(values)}


class OnRanks(Observer):
    """The base of observers whose answers run on two ranks: real processes, on virtual GPUs.

    imports: lines before the cell of the answer. run: runs a program on both ranks.
    """

    in_processes = True
    gpus = 0
    processor = 10
    imports: str
    run: Callable[..., tuple[list[Any], str]] = staticmethod(run_ranks)

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The data of the case."""
        return dict(data)

    def ranks(self, answer: Any, program: str, **given: int) -> tuple[list[Any], str]:
        """What `facts()` of the program returns on each rank, and the first error, or "".

        The cell of the answer stands before the program. given: further arguments of `run`.
        """
        if not (cell := cell_of(answer)):
            raise NotFit(Finding("no-source", "no source", "a function with `def`"))
        found, error = self.run("\n".join([self.imports, *definitions(cell), program]), **given)
        if error.startswith("NotImplementedError"):  # as the stub raises
            raise AnswerRaised from NotImplementedError()
        return found, error
