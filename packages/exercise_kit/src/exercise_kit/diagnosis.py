"""Exercises of the kind "diagnose": find the fault of a program from its run, and repair it.

The learner chooses a number, from which a program with one fault is made. The answer names the
number, the faulty line, the cause and a new line. The program runs with the new line.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from exercise_kit.comparison import first_difference, same
from exercise_kit.contract import Case, Facts, Finding, Judge, Observer
from exercise_kit.facts import describe, raised_text
from exercise_kit.limits import OutOfTime
from exercise_kit.programs.launcher import LaunchFault

KEYS = ("run", "line", "cause", "change")
"""The keys of the dict that an answer returns."""

TITLE = "the run in your answer, as in the task"


@dataclass(frozen=True)
class Program:
    """A program with one fault.

    lines: the lines shown to the learner, numbered from 1.
    line: the number of the faulty line. cause: one of the causes in the task.
    innocent: line number → finding, for other suspicious lines.
    right: the results of the repaired program: facts, or a dict of facts by name.
    harms: whether any change must run, because `execute` may report `harm`.
    """

    lines: Sequence[str]
    line: int
    cause: str
    right: Mapping[str, Any]
    innocent: Mapping[int, str] = field(default_factory=dict)
    harms: bool = False

    def changed(self, line: int, change: str) -> str:
        """The program with one line replaced, with the old line's indentation."""
        old = self.lines[line - 1]
        indent = old[: len(old) - len(old.lstrip())]
        lines = [*self.lines]
        lines[line - 1] = indent + change.strip()
        return "\n".join(lines) + "\n"

    def refutes(self, claim: Mapping[str, Any]) -> Finding | None:
        """The finding for a claim that is wrong whatever its change does; else None."""
        line, cause, change = claim["line"], claim["cause"], claim["change"].strip()
        seen = f"line {line} of run {claim['run']}"
        if line != self.line:
            return Finding(self.innocent.get(line, "other-line"), seen, "another line")
        if cause != self.cause:
            return Finding("other-cause", f"{cause!r} for {seen}", "another cause")
        if change == self.lines[line - 1].strip():
            return Finding("line-as-it-was", f"change: {change}", "another line")
        return None

    def numbered(self) -> str:
        """The program with line numbers."""
        return "\n".join(f"{number:3}  {line}" for number, line in enumerate(self.lines, start=1))


Draw = Callable[[int], Program]
"""Makes the program of a number. The same number gives the same program everywhere."""

Explain = Callable[[str, str], str | None]
"""From the name of a different fact and the learner's line, makes a finding's name or None."""


class DiagnosisObserver(Observer):
    """Facts: the described `claim`; and, of the changed program, the facts of `execute` as `cured`,
    or its error as `raised`. If `cured` has a fact `harm`, it is the finding, whatever the line.
    The program runs only if this can decide.

    in_processes: whether `execute` runs the program in a new process.
    gpus: the number of GPUs that the programs of all runs need in this process.
    """

    parameters = ()

    def __init__(
        self,
        draw: Draw,
        execute: Callable[[str], Facts],
        in_processes: bool = False,
        gpus: int = 0,
    ) -> None:
        self._draw, self._execute, self.gpus = draw, execute, gpus
        self.in_processes = in_processes  # type: ignore[misc]

    def observe(self, answer: Callable[..., Any], inputs: Any) -> Facts:
        """The facts of a claim and of the changed program."""
        claim = answer()
        facts: dict[str, Any] = {"claim": describe(claim)}
        found = claimed(facts)
        if isinstance(found, Finding):
            return facts
        program = self._draw(found["run"])
        is_inside = 1 <= found["line"] <= len(program.lines)
        if not (is_inside if program.harms else program.refutes(found) is None):
            return facts
        try:
            cured = self._execute(program.changed(found["line"], found["change"]))
        except (OutOfTime, KeyboardInterrupt, LaunchFault):
            raise
        except BaseException as error:  # raised by the program with the learner's line
            return facts | {"raised": raised_text(error)[:300]}
        return facts | {"cured": cured}


class DiagnosisJudge(Judge):
    """Compares a claim with the planted fault, and the results of the changed program with `right`.

    causes: the causes in the task. explain: names the finding for a line that does not repair it.
    """

    def __init__(
        self, draw: Draw, causes: Sequence[str], explain: Explain | None = None, runs: int = 9999
    ) -> None:
        self._draw, self._causes, self._explain, self._runs = draw, causes, explain, runs

    def cases(self, rng: random.Random) -> Sequence[Case]:
        """The only case, without data: the answer names its run itself."""
        return [Case(TITLE, {})]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The finding for a claim; None if it names the fault and repairs it."""
        claim = self._claimed(facts)
        if isinstance(claim, Finding):
            return claim
        run, change = claim["run"], claim["change"].strip()
        if not 1 <= run <= self._runs:
            return Finding("other-run", f"run {run}", f"a run from 1 to {self._runs}")
        if harm := facts.get("cured", {}).get("harm"):
            return Finding(str(harm), f"change: {change}", "no harm")
        program = self._draw(run)
        if refuted := program.refutes(claim):
            return refuted
        if "raised" in facts:
            return Finding("change-raises", str(facts["raised"]), "no error")
        cured = facts.get("cured", {})
        for name, right in program.right.items():
            seen, said = cured.get(name), name
            if same(seen, right, tolerance=1e-6):
                continue
            if isinstance(right, Mapping):
                place, seen, right = first_difference(seen, right, tolerance=1e-6)
                said = place.removeprefix(".") or name
            known = self._explain(name, change) if self._explain else None
            return Finding(known or f"other-{name}", f"{said}: {seen}", f"{said}: {right}")
        return None

    def run_of(self, facts: Facts) -> int | None:
        """The number of the run in an answer's claim."""
        claim = self._claimed(facts)
        return None if isinstance(claim, Finding) else claim["run"]

    def guess_of(self, facts: Facts) -> str | None:
        """The line in an answer's claim, if it is not the faulty one."""
        claim = self._claimed(facts)
        if isinstance(claim, Finding) or not 1 <= claim["run"] <= self._runs:
            return None
        line = claim["line"]
        return None if line == self._draw(claim["run"]).line else f"line {line}"

    def _claimed(self, facts: Facts) -> Mapping[str, Any] | Finding:
        claim = claimed(facts)
        if isinstance(claim, Finding) or claim["cause"] in self._causes:
            return claim
        wanted = f"cause: one of {', '.join(map(repr, self._causes))}"
        return Finding("other-form", f"cause: {claim['cause']!r}", wanted)


def claimed(facts: Facts) -> Mapping[str, Any] | Finding:
    """The claim of an answer, or the finding for its form."""
    claim = facts["claim"]
    wanted = "a dict with run, line, cause and change"
    if claim["type"] == "NoneType":
        return Finding("nothing-returned", "None", wanted)
    if claim["type"] != "dict":
        return Finding("other-form", f"an object of type {claim['type']}", wanted)
    items = {
        key.get("value"): item for key, item in zip(claim["keys"], claim["items"], strict=True)
    }
    kinds = (int, int, str, str)
    for key, kind in zip(KEYS, kinds, strict=True):
        item = items.get(key, {"value": None})
        if type(item.get("value")) is not kind:
            word = "a whole number" if kind is int else "a string"
            seen = repr(item["value"]) if "value" in item else f"an object of type {item['type']}"
            return Finding("other-form", f"{key}: {seen}", f"{key}: {word}")
    found = {key: items[key]["value"] for key in KEYS}
    if len(lines := found["change"].strip().splitlines()) > 1:
        return Finding("other-form", f"change: {len(lines)} lines", "change: one line")
    return found
