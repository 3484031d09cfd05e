"""The folders of a course's exercises, loaded: ROOT/TOPIC/EXERCISE/.

They are found as a package that stands on no search path: a file of an exercise imports what its
topic shares with `from ..shared import …`.
"""

import importlib
import inspect
import json
import random
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import Any

from exercise_kit import known
from exercise_kit.contract import CONTRACT, Case, Facts, Judge, Observer
from exercise_kit.corpus import load_answer
from exercise_kit.diagnosis import DiagnosisJudge, DiagnosisObserver
from exercise_kit.errors import ExerciseError
from exercise_kit.judging import DataJudge, Look
from exercise_kit.observers import OneCall
from exercise_kit.reference import reference
from exercise_kit.runner import Runner, said
from exercise_kit.words import Words, general_findings, read_words
from exercise_kit.world import World

PUBLIC_SEED = "the public cases"
_TRIES = 9  # to draw other cases than the public ones


@dataclass(frozen=True)
class Exercise:
    """One exercise. Its parts are loaded apart, so that a process may have one without another.

    name: as in "tensors.move_batch", its topic and the name of the function that solves it; a
        class has the name that `corpus.class_name` makes of it.
    root: the folder of all exercises of its course. world: what surrounds its answers.
    """

    name: str
    root: Path
    world: World

    @property
    def path(self) -> Path:
        """The folder of the exercise."""
        return self.root / Path(*self.name.split("."))

    @property
    def short(self) -> str:
        """The name of the function that solves it."""
        return self.name.partition(".")[2]

    @property
    def is_data(self) -> bool:
        """Whether its own answer says what is right: no judge does, and no planted fault."""
        return not (self._has("judge") or self._has("run"))

    def _has(self, file: str) -> bool:
        return (self.path / f"{file}.py").is_file()

    @cached_property
    def observer(self) -> Observer:
        """What runs beside an answer: that of observe.py or cases.py, or else a `OneCall`.

        That of a diagnosis runs the programs of run.py.
        """
        if self._has("judge"):
            return self._part("observe", "observer", Observer)
        if self._has("run"):
            run = self.module("run")
            return DiagnosisObserver(run.draw, run.execute)
        file = "observe" if self._has("observe") else "cases"
        is_plain = file == "cases" and not hasattr(self.module(file), "observer")
        observer = OneCall() if is_plain else self._part(file, "observer", Observer)
        observer.parameters = known.parameters(self.path)
        return observer

    @cached_property
    def judge(self) -> Judge:
        """What draws cases and judges facts: made from cases.py or run.py, or that of judge.py."""
        if self._has("judge"):
            return self._part("judge", "judge", Judge)
        if self._has("run"):
            run = self.module("run")
            return DiagnosisJudge(run.draw, run.CAUSES, getattr(run, "explain", None))
        table = self.module("cases")
        if not callable(getattr(table, "cases", None)):
            raise ExerciseError(
                f"{self.path}/cases.py has no function `cases(rng)`: let it return the cases, each "
                "with its title and its data."
            )
        newer = getattr(table, "contract", CONTRACT)
        if newer != CONTRACT:
            raise ExerciseError(
                f"{self.path}/cases.py is written for contract {newer}, and this is contract "
                f"{CONTRACT}: install the exercise_kit that it was written for."
            )
        return DataJudge(
            table.cases,
            getattr(table, "looks", (Look("result"),)),
            getattr(table, "raises", ()),
            getattr(table, "explain", None),
        )

    @cached_property
    def words(self) -> Words:
        """The findings and hints of words.md."""
        return read_words(self.path / "words.md", general_findings(self.world.words))

    @cached_property
    def public_cases(self) -> Sequence[Case]:
        """The cases that learners may see: the same on every machine.

        Those of an exercise that is data are read from the file that `build` made.
        """
        return known.read(self.path) if self.is_data else self.drawn_publicly()

    def drawn_publicly(self) -> Sequence[Case]:
        """The public cases as they are drawn, without what is right in them."""
        again = getattr(self.module("cases"), "draw", 0) if self.is_data else 0
        return self._drawn(PUBLIC_SEED + (f" {again}" if again else ""))

    @lru_cache(maxsize=256)  # noqa: B019 - an exercise lives as long as its process
    def hidden_cases(self, seed: str) -> Sequence[tuple[int, Case]]:
        """The same cases with other values, drawn from `seed`, each with its number from 1.

        Those in which nothing is drawn are left out: they have been public. They come in an order
        of the seed's, so that nobody can tell from the number of a call what comes next. Where the
        exercise's own answer says what is right, it is run here.
        """
        found: list[tuple[int, Case]] = []
        for again in range(_TRIES):  # one draw may happen to be the public one
            drawn = self._drawn(seed + "'" * again)
            pairs = enumerate(zip(self.public_cases, drawn, strict=True), start=1)
            found = [(number, new) for number, (old, new) in pairs if old.data != new.data]
            if found:
                break
        random.Random(f"{seed}/{self.name}/order").shuffle(found)
        if not self.is_data:
            return found
        rights = self.right_facts([case for _, case in found])
        return [
            (number, replace(case, right=right))
            for (number, case), right in zip(found, rights, strict=True)
        ]

    def case(self, number: int, seed: str | None = None) -> Case:
        """A case by its number, from 1: the public one or, given a seed, that drawn from it."""
        if seed is None:
            return self.public_cases[number - 1]
        drawn = self._drawn(seed)[number - 1]
        if not self.is_data:
            return drawn
        return replace(drawn, right=self.right_facts([drawn])[0])

    def right_facts(self, cases: Sequence[Case]) -> list[Facts]:
        """The facts of the exercise's own answer for each case.

        An observer knows the parameters of an answer from here on, if not from what `build` made.

        Raises ExerciseError where the answer is not on this machine, or fails a case.
        """
        file = f"{self.path}/answer.py"
        answer = load_answer(reference(self.path), self.short, file)
        self.observer.parameters = tuple(inspect.signature(answer).parameters)
        runner = Runner(self.observer, answer, self.world)
        found: list[Facts] = []
        for case in cases:
            seen = runner(case)
            if not isinstance(seen, dict):
                raise ExerciseError(
                    f"{file} fails the case “{case.title}” ({said(seen)}): fix the answer, or the "
                    "case in cases.py."
                )
            found.append(seen)
        return found

    def _drawn(self, seed: str) -> Sequence[Case]:
        cases = self.judge.cases(random.Random(f"{seed}/{self.name}"))
        if not cases:
            raise ExerciseError(f"{self.path}/cases.py gives no case: write one for each rule.")
        # As they are after a journey to another process: with lists where there were tuples.
        return [Case(case.title, json.loads(json.dumps(case.data))) for case in cases]

    def module(self, name: str) -> ModuleType:
        """A Python file of the exercise, imported. Raises ExerciseError if it is missing."""
        file = self.path / f"{name}.py"
        if not file.is_file():
            raise ExerciseError(
                f"{file} is missing: write it; the author's page says what it holds."
            )
        return importlib.import_module(f"{package(self.root)}.{self.name}.{name}")

    def _part(self, file: str, name: str, kind: type) -> Any:
        """What `file` calls `name`, or else an object of the one `kind` that it defines."""
        module = self.module(file)
        if not hasattr(module, name):
            own = [c for c in vars(module).values() if _is_of(c, kind, module.__name__)]
            if len(own) == 1:
                return own[0]()
        elif isinstance(part := getattr(module, name), kind):
            return part
        raise ExerciseError(
            f"{self.path / file}.py must define one {kind.__name__}, and no other, or say which "
            f"is meant with `{name} = …`."
        )


def _is_of(value: Any, kind: type, module: str) -> bool:
    return isinstance(value, type) and issubclass(value, kind) and value.__module__ == module


@cache
def package(root: Path) -> str:
    """Make the folder of all exercises a package, one for each course on this machine."""
    name = f"exercises_{zlib.crc32(str(root).encode()):08x}"
    made = ModuleType(name)
    made.__path__ = [str(root)]
    sys.modules[name] = made
    return name
