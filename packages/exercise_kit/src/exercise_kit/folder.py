"""The exercises of a course, loaded from their folders ROOT/TOPIC/EXERCISE/.

The folders form a package that is on no search path. A file of an exercise imports the shared code
of its topic with `from ..shared import …`.
"""

import importlib
import inspect
import json
import random
import sys
import zlib
from collections.abc import Iterable, Mapping, Sequence
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
from exercise_kit.fitting import fitted
from exercise_kit.judging import DataJudge, Look
from exercise_kit.observers import OneCall
from exercise_kit.reference import reference
from exercise_kit.runner import Runner, said
from exercise_kit.words import Words, general_findings, read_words
from exercise_kit.world import World

PUBLIC_SEED = "the public cases"
_TRIES = 9  # attempts to draw cases that differ from the public ones


@dataclass(frozen=True)
class Exercise:
    """One exercise. Its parts load separately, so that a process can load only some of them.

    name: topic and name of the function that solves it, as in "tensors.move_batch". A class that
        solves it has the name of `corpus.class_name`.
    root: the folder of all exercises of its course. world: the surroundings of its answers.
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
        """The name of the function that solves it, without the topic."""
        return self.name.partition(".")[2]

    @property
    def is_data(self) -> bool:
        """Whether its own answer gives the right facts: it has neither judge.py nor run.py."""
        return not (self._has("judge") or self._has("run"))

    def _has(self, file: str) -> bool:
        return (self.path / f"{file}.py").is_file()

    @cached_property
    def observer(self) -> Observer:
        """The observer of an answer: from observe.py or cases.py, or else a `OneCall`.

        For a diagnosis, an observer that runs the programs of run.py.
        """
        if self._has("judge"):
            return self._part("observe", "observer", Observer)
        if self._has("run"):
            run = self.module("run")
            in_processes, gpus = hasattr(run, "in_processes"), getattr(run, "GPUS", 0)
            return DiagnosisObserver(run.draw, run.execute, in_processes, gpus)
        file = "observe" if self._has("observe") else "cases"
        is_plain = file == "cases" and not hasattr(self.module(file), "observer")
        observer = OneCall() if is_plain else self._part(file, "observer", Observer)
        observer.parameters = known.parameters(self.path)
        return observer

    @cached_property
    def judge(self) -> Judge:
        """The judge, which draws cases and judges facts: from judge.py, run.py or cases.py."""
        if self._has("judge"):
            return self._part("judge", "judge", Judge)
        if self._has("run"):
            run = self.module("run")
            return DiagnosisJudge(run.draw, run.CAUSES, getattr(run, "explain", None))
        table = self.module("cases")
        if not callable(getattr(table, "cases", None)):
            raise ExerciseError(
                f"{self.path}/cases.py has no function `cases(rng)`. Write it: it returns pairs of "
                "a title and data."
            )
        newer = getattr(table, "contract", CONTRACT)
        if newer != CONTRACT:
            raise ExerciseError(
                f"{self.path}/cases.py is written for contract {newer}, and this is contract "
                f"{CONTRACT}. Install the exercise_kit for that contract."
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
        """The cases that learners can see, which are the same on every computer.

        For an exercise that is data, they come from the file that `build` made.
        """
        return known.read(self.path) if self.is_data else self.drawn_publicly()

    def fitting(self, gpus: int, drawn: Iterable[tuple[int, Case]] = ()) -> Mapping[int, Case]:
        """The public cases for a machine with so many GPUs, by their numbers from 1.

        Cases that need more GPUs are left out. drawn: hidden cases that replace public ones.
        """
        cases = {**dict(enumerate(self.public_cases, start=1)), **dict(drawn)}
        fitting = ((number, fitted(self.observer, case, gpus)) for number, case in cases.items())
        return {number: case for number, case in fitting if case is not None}

    def drawn_publicly(self) -> Sequence[Case]:
        """The public cases as they are drawn, without the right facts."""
        again = getattr(self.module("cases"), "draw", 0) if self.is_data else 0
        return self._drawn(PUBLIC_SEED + (f" {again}" if again else ""))

    @lru_cache(maxsize=256)  # noqa: B019 - an exercise lives as long as its process
    def hidden_cases(self, seed: str) -> Sequence[tuple[int, Case]]:
        """The same cases with other values, drawn from `seed`, each with its number from 1.

        Cases without drawn values are left out, because they were public. The seed also decides the
        order, so that an answer cannot predict the next case. In an exercise that is data, its own
        answer runs here.
        """
        found: list[tuple[int, Case]] = []
        for again in range(_TRIES):  # a draw can equal the public one
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
        """The case with this number, from 1: the public one or, with a seed, a hidden one."""
        if seed is None:
            return self.public_cases[number - 1]
        drawn = self._drawn(seed)[number - 1]
        if not self.is_data:
            return drawn
        return replace(drawn, right=self.right_facts([drawn])[0])

    def right_facts(self, cases: Sequence[Case]) -> list[Facts]:
        """The facts of the exercise's own answer for each case.

        Also sets the observer's parameters to those of the answer.

        Raises ExerciseError if the answer is not on this computer, or fails a case.
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
                    f"{file} fails the case “{case.title}” ({said(seen)}). Correct the answer, or "
                    "the case in cases.py."
                )
            found.append(seen)
        return found

    def _drawn(self, seed: str) -> Sequence[Case]:
        cases = self.judge.cases(random.Random(f"{seed}/{self.name}"))
        if not cases:
            raise ExerciseError(f"{self.path}/cases.py returns no case. Write one for each rule.")
        # Through JSON, as on the way to another process: tuples become lists.
        return [Case(case.title, json.loads(json.dumps(case.data))) for case in cases]

    def module(self, name: str) -> ModuleType:
        """A Python file of the exercise, imported. Raises ExerciseError if it is missing."""
        file = self.path / f"{name}.py"
        if not file.is_file():
            raise ExerciseError(
                f"{file} is missing. Write it; the page for authors describes its content."
            )
        return importlib.import_module(f"{package(self.root)}.{self.name}.{name}")

    def _part(self, file: str, name: str, kind: type) -> Any:
        """The object `name` of `file`, or else an object of the only `kind` that it defines."""
        module = self.module(file)
        if not hasattr(module, name):
            own = [c for c in vars(module).values() if _is_of(c, kind, module.__name__)]
            if len(own) == 1:
                return own[0]()
        elif isinstance(part := getattr(module, name), kind):
            return part
        raise ExerciseError(
            f"{self.path / file}.py must define exactly one {kind.__name__}. Or name the right one "
            f"with `{name} = …`."
        )


def _is_of(value: Any, kind: type, module: str) -> bool:
    return isinstance(value, type) and issubclass(value, kind) and value.__module__ == module


@cache
def package(root: Path) -> str:
    """The name of a new package for the folder of all exercises of a course."""
    name = f"exercises_{zlib.crc32(str(root).encode()):08x}"
    made = ModuleType(name)
    made.__path__ = [str(root)]
    sys.modules[name] = made
    return name
