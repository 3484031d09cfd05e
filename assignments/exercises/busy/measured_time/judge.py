"""Judge `measured_time` by playing the program with two times, the program's and the GPU's.

Rivals play another program, or with one rule changed.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival


@dataclass(frozen=True)
class Run:
    """A program with its times in µs: of one launch on the host, and of one kernel on the GPU.

    queued: whether kernels wait for one another. blocking: whether a launch waits for its kernel.
    """

    program: Sequence[str]
    launch: int
    kernel: int
    queued: bool = True
    blocking: bool = False

    @property
    def timed(self) -> "Run":
        """From `start` to `stop` only."""
        steps = self.program
        return replace(self, program=steps[steps.index("start") : steps.index("stop") + 1])

    @property
    def waited(self) -> "Run":
        """As if there were a `synchronize` before `stop`."""
        stop = self.program.index("stop")
        waited = [*self.program[:stop], "synchronize", *self.program[stop:]]
        return replace(self, program=waited)

    @property
    def from_the_beginning(self) -> "Run":
        return replace(self, program=["start", *filter("start".__ne__, self.program)])

    @property
    def runs(self) -> int:
        return self.program.count("run")


def clock_reading(run: Run) -> int:
    """What passes on the program's clock between `start` and `stop`."""
    now = gpu_free = started = 0
    for step in run.program[: run.program.index("stop")]:
        if step == "run":
            now += run.launch
            gpu_free = (max(gpu_free, now) if run.queued else now) + run.kernel
        if step == "synchronize" or (step == "run" and run.blocking):
            now = max(now, gpu_free)
        if step == "start":
            started = now
    return now - started


def _added_up(run: Run) -> int:
    """As if the GPU did nothing until the program waits for it."""
    now = pending = started = 0
    for step in run.program[: run.program.index("stop")]:
        if step == "run":
            now, pending = now + run.launch, pending + run.kernel
        elif step == "synchronize":
            now, pending = now + pending, 0
        else:
            started = now
    return now - started


class MeasuredTime(OracleJudge):
    form, types, otherwise = "a number of µs", ("int", "float"), "other-time"
    rivals = (
        Rival("launches-only", lambda **d: Run(**d).launch * Run(**d).timed.runs),
        Rival("kernels-only", lambda **d: Run(**d).kernel * Run(**d).timed.runs),
        Rival("always-waited", lambda **d: clock_reading(Run(**d).waited)),
        Rival("one-after-the-other", lambda **d: _added_up(Run(**d))),
        Rival("one-after-the-other", lambda **d: clock_reading(Run(**d, blocking=True))),
        Rival("queue-forgotten", lambda **d: clock_reading(Run(**d, queued=False))),
        Rival("backlog-forgotten", lambda **d: clock_reading(Run(**d).timed)),
        Rival("whole-program-counted", lambda **d: clock_reading(Run(**d).from_the_beginning)),
    )

    def oracle(self, **data: Any) -> int:
        return clock_reading(Run(**data))

    def cases(self, rng: random.Random) -> Sequence[Case]:
        few, several = rng.randint(3, 4), rng.randint(5, 9)
        wait, run = ["synchronize"], ["run"]

        def drawn(title: str, program: list[str], *findings: str, slow: str = "kernel") -> Case:
            return Case(title, self.telling(lambda: _draw(rng, program, slow), *findings))

        return [
            drawn("one run, no waiting", _program([], 1, []), "always-waited", "kernels-only"),
            drawn(
                "several runs, then waiting",
                _program(wait, few, wait),
                "launches-only",
                "kernels-only",
                "one-after-the-other",
                "queue-forgotten",
            ),
            drawn(
                "several runs, no waiting",
                _program([], few, []),
                "always-waited",
                "kernels-only",
                "one-after-the-other",
            ),
            drawn(
                "slow launches, then waiting",
                _program([], few, wait),
                "launches-only",
                "one-after-the-other",
                slow="launch",
            ),
            drawn(
                "after a warm-up that was waited for",
                _program(run * few + wait, several, wait),
                "whole-program-counted",
                "launches-only",
                "queue-forgotten",
            ),
            drawn(
                "after a warm-up that was not waited for",
                _program(run * several, few, wait),
                "backlog-forgotten",
                "whole-program-counted",
                "queue-forgotten",
            ),
            drawn(
                "launches only, after a warm-up",
                _program(run * few + wait, several, []),
                "always-waited",
                "whole-program-counted",
            ),
            drawn(
                "waiting twice",
                _program(run * few, few, [*wait, *run * 2, *wait]),
                "backlog-forgotten",
                "launches-only",
                "queue-forgotten",
            ),
            drawn(
                "work after the stop",
                [*_program(run, few, wait), *run, *wait],
                "backlog-forgotten",
                "launches-only",
            ),
            drawn(
                "slow launches and a backlog",
                _program(run * several, several, wait),
                "one-after-the-other",
                "whole-program-counted",
                slow="launch",
            ),
            drawn(
                "waiting before the last run",
                _program([], few, [*wait, *run]),
                "always-waited",
                "launches-only",
                "queue-forgotten",
            ),
            drawn(
                "a clock around nothing",
                _program(run, 0, []),
                "always-waited",
                "whole-program-counted",
            ),
            drawn(
                "a clock around nothing but waiting",
                _program(run * few, 0, wait),
                "launches-only",
                "whole-program-counted",
                "queue-forgotten",
            ),
            Case(
                "the task's example", {"program": _program([], 2, wait), "launch": 5, "kernel": 100}
            ),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found, data = super().judge(case, facts), case.data
        times = f"launch {data['launch']}, kernel {data['kernel']}"
        program = f"{clip(' '.join(data['program']), 150)}, {times}"
        return found and replace(found, seen=f"{clip(found.seen, 80)} for {program}")

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        number = described["type"] in self.types
        return brief(described) + (" µs" if number else "")


def _program(before: Sequence[str], runs: int, after: Sequence[str]) -> list[str]:
    return [*before, "start", *["run"] * runs, *after, "stop"]


def _draw(rng: random.Random, program: Sequence[str], slow: str) -> dict[str, Any]:
    short, long = rng.randint(3, 9), rng.randint(20, 90)
    launch, kernel = (long, short) if slow == "launch" else (short, long)
    return {"program": program, "launch": launch, "kernel": kernel}


judge = MeasuredTime()
