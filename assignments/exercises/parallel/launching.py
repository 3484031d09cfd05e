"""`run_ranks`: a program in two processes or in one, with facts of each; `OnRanks`: an answer."""

import json
import secrets
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

from . import one_rank

RANKS = 2
_PATIENCE = 60.0  # seconds


def importing(module: ModuleType) -> str:
    """The lines of a program that import a module of a topic, under the last part of its name.

    What the text of a program does counts as the learner's; what a module does, does not. In a
    sandbox its file cannot be read, but programs are forks of this process, and find it here.
    """
    name, folder = module.__name__.rpartition(".")[2], str(Path(str(module.__file__)).parent)
    sys.modules[name] = module
    return f"import sys\nsys.path.insert(0, {folder!r})\nimport {name}\ndel sys.path[0]\n"


_PLAY = importing(one_rank) + "one_rank.play()\n"


def run_ranks(
    program: str, ranks: int = RANKS, imports: str = "", name: str = "", cell: str = ""
) -> tuple[list[Any], str]:
    """What `facts()` of the program returns on each rank, and the first error, or "".

    The program may call the answer `name` of a cell. Each of them sees the names of `imports`, and
    none of the other's. There is a number of virtual GPUs that is larger than the number of ranks.
    If a rank fails, the list is empty. Raises LaunchFault for a failure that is not the program's
    fault.
    """
    key = secrets.token_hex(16)
    given = json.dumps([imports, name, cell, program, key])
    with TemporaryDirectory() as folder:
        file = Path(folder, "ranks.py")
        file.write_text(_PLAY, encoding="utf-8")
        for rank in range(ranks):
            Path(folder, f"given-{rank}.json").write_text(given, encoding="utf-8")
        env = environment(ranks + 2)
        with start_program([str(file)], env, Path(folder), ranks=ranks) as running:
            printed, ended = read(running, _PATIENCE)
        raise_fault(running)
        files = [Path(folder, f"rank-{rank}.json") for rank in range(ranks)]
        texts = [each.read_text("utf-8", "replace") for each in files if each.is_file()]
        found = [told for text in texts if (told := one_rank.heard(text, key)) is not None]
    errors = [error for _, error in found if error]
    if any("Duplicate GPU detected" in error for error in errors):
        return [], "Duplicate GPU detected"  # by a rank, while the other waits or fails, too
    if len(found) < ranks:  # before `facts`, or stopped because the other rank has failed
        lines = [line.partition("]: ")[2] or line for line in printed.splitlines()]
        errors += [line for line in lines if line.partition(":")[0].endswith("Error")]
        errors.append("a rank has ended early" if ended else "a rank still waits")
    errors.sort(key=lambda error: "by peer" in error)  # what came of another rank's error is last
    return ([], errors[0].splitlines()[0]) if errors else ([facts for facts, _ in found], "")


def by_rank(values: list[Any]) -> dict[str, Any]:
    """A value of each rank, by the name of the rank."""
    return {f"rank {rank}": value for rank, value in enumerate(values)}


class OnRanks(Observer):
    """The base of observers whose answers run on two ranks: real processes, on virtual GPUs.

    name: the answer's. imports: lines before its cell. run: runs a program on both ranks.
    """

    in_processes = True
    gpus = 0
    processor = 10
    name: str
    imports: str
    run: Callable[..., tuple[list[Any], str]] = staticmethod(run_ranks)

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The data of the case."""
        return dict(data)

    def ranks(self, answer: Any, program: str, **given: int) -> tuple[list[Any], str]:
        """What `facts()` of the program returns on each rank, and the first error, or "".

        given: further arguments of `run`.
        """
        if not (cell := cell_of(answer)):
            raise NotFit(Finding("no-source", "no source", "a function with `def`"))
        own = "\n".join(definitions(cell))
        found, error = self.run(program, imports=self.imports, name=self.name, cell=own, **given)
        if error.startswith("NotImplementedError"):  # as the stub raises
            raise AnswerRaised from NotImplementedError()
        return found, error
