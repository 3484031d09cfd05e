"""Judge `elapsed` by a simulation of the program: the time of the host and of each stream.

Rivals simulate it with one rule changed, or read another clock.
"""

import random
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.checking.oracle import OracleJudge, WrongModel
from exercise_kit.contract import Case, Facts, Finding
from exercise_kit.text import clip

Program = Sequence[Sequence[Any]]


@dataclass(frozen=True)
class Rules:
    """The rules by which time passes.

    waits, synchronizes, sleeps: whether these steps count. queued_first: whether work begins after
    it was queued. The others are wrong: waits_for_all: `wait` and `synchronize` are for all that
    the event's stream has been given. host_waits: `wait` holds the host. both_ways: `wait` holds
    the event's stream, too. everywhere: `synchronize` waits for all streams. one_queue: there is
    one stream. blocking: the host waits for each kernel. marks_block: it waits for each mark.
    sets_back: what waits goes on at the event's time, even if that is over. wait_adds,
    synchronize_adds: it goes on by that time later.
    """

    waits: bool = True
    synchronizes: bool = True
    sleeps: bool = True
    queued_first: bool = True
    waits_for_all: bool = False
    host_waits: bool = False
    both_ways: bool = False
    everywhere: bool = False
    one_queue: bool = False
    blocking: bool = False
    marks_block: bool = False
    sets_back: bool = False
    wait_adds: bool = False
    synchronize_adds: bool = False


RIGHT = Rules()


@dataclass(frozen=True)
class Clocks:
    """Two times of each event, in ms: when the host made the mark, and when the GPU passed it."""

    made: Mapping[str, int]
    passed: Mapping[str, int]


def play(program: Program, rules: Rules) -> Clocks:
    """The times of all events in a run of the program, by these rules."""
    now, made, passed = 0, dict[str, int](), dict[str, int]()
    home: dict[str, str] = {}
    free: dict[str, int] = defaultdict(int)

    def done(event: str) -> int:
        return free[home[event]] if rules.waits_for_all else passed[event]

    for step, *rest in program:
        if step == "sleep":
            now += rest[0] * rules.sleeps
            continue
        if step == "synchronize":
            if rules.synchronizes:
                earliest = 0 if rules.sets_back else now
                until = max(earliest, done(rest[0]), *(free.values() if rules.everywhere else ()))
                now = now + done(rest[0]) if rules.synchronize_adds else until
            continue
        stream, what = "all" if rules.one_queue else rest[0], rest[1]
        ready = max(now if rules.queued_first else 0, free[stream])
        if step == "run":
            free[stream] = ready + what
            now = free[stream] if rules.blocking else now
        elif step == "record":
            made[what], passed[what], home[what] = now, ready, stream
            now = ready if rules.marks_block else now
        elif rules.waits:
            if rules.both_ways:
                free[home[what]] = max(free[home[what]], ready)
            until = max(0 if rules.sets_back else ready, done(what))
            free[stream] = ready + done(what) if rules.wait_adds else until
            now = max(now, done(what)) if rules.host_waits else now
    return Clocks(made, passed)


def _between(program: Program, start: str, end: str) -> Program:
    """The steps between the two marks, in whichever order the program makes these."""
    marks = sorted(
        place
        for place, step in enumerate(program)
        if step[0] == "record" and step[2] in (start, end)
    )
    return program[marks[0] : marks[1]]


def _kernels(program: Program, start: str, end: str) -> int:
    return sum(step[2] for step in _between(program, start, end) if step[0] == "run")


def _kernels_of_a_stream(program: Program, start: str, end: str) -> int:
    (stream,) = (step[1] for step in program if step[0] == "record" and step[2] == end)
    return _kernels(
        [step for step in program if step[1] == stream or end in step or start in step], start, end
    )


def _host_clock(program: Program, start: str, end: str) -> int:
    made = play(program, RIGHT).made
    return made[end] - made[start]


def _from_the_beginning(program: Program, start: str, end: str) -> int:
    return play(program, RIGHT).passed[end]


def _right(program: Program, start: str, end: str, rules: Rules = RIGHT) -> int:
    passed = play(program, rules).passed
    return passed[end] - passed[start]


def _rival(finding: str, **changes: bool) -> WrongModel:
    rules = replace(RIGHT, **changes)
    return WrongModel(finding, lambda program, start, end: _right(program, start, end, rules))


class Elapsed(OracleJudge):
    """Compares with the time between two events, in ms."""

    form, types, otherwise = "a number of ms", ("int", "float"), "other-time"
    rivals = (
        WrongModel("other-unit", lambda **data: _right(**data) / 1000),
        _rival("wait-holds-the-host", host_waits=True),
        _rival("wait-holds-both", both_ways=True),
        _rival("waits-too-long", waits_for_all=True),
        _rival("waits-too-long", everywhere=True),
        _rival("synchronize-ignored", synchronizes=False),
        _rival("time-set-back", sets_back=True),
        _rival("times-added", wait_adds=True),
        _rival("times-added", synchronize_adds=True),
        _rival("wait-ignored", waits=False),
        _rival("one-queue", one_queue=True),
        _rival("host-blocked", blocking=True),
        _rival("host-blocked", marks_block=True),
        _rival("idle-time-left-out", queued_first=False),
        _rival("idle-time-left-out", sleeps=False),
        WrongModel("idle-time-left-out", _kernels),
        WrongModel("idle-time-left-out", _kernels_of_a_stream),
        WrongModel("host-clock", _host_clock),
        WrongModel("from-the-beginning", _from_the_beginning),
    )

    def oracle(self, **data: Any) -> int:
        """The time between the two events, in ms."""
        return _right(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        """The cases: a program, and the names of two events."""
        a, b, c = rng.sample(["main", "copies", "side", "loader", "exchange"], 3)
        start, end, half = rng.sample(["begun", "copied", "ready", "done", "first", "last"], 3)
        names = {"A": a, "B": b, "C": c, "<": start, ">": end, "|": half}

        def drawn(title: str, text: str, *findings: str) -> Case:
            def draw() -> dict[str, Any]:
                return {"program": _program(text, names, rng), "start": start, "end": end}

            return Case(title, self.telling(draw, *findings))

        return [
            drawn("one stream", "A <, A run, A run, A >", "host-clock", "other-unit"),
            drawn(
                "work before the first mark and after the second",
                "A run, A <, A run, A >, A run",
                "from-the-beginning",
                "host-clock",
            ),
            drawn(
                "the GPU is idle for a while",
                "A <, A short, sleep, A run, A >",
                "idle-time-left-out",
            ),
            drawn(
                "the host sleeps while the GPU works",
                "A <, A long, A |, sleep, A run, A >",
                "host-clock",
                "host-blocked",
            ),
            drawn(
                "only a sleep between two marks",
                "A <, sleep, A >",
                "idle-time-left-out",
            ),
            drawn("two marks, one right after the other", "A run, A <, A >", "from-the-beginning"),
            drawn("two streams, side by side", "A <, A run, B run, A >", "one-queue"),
            drawn(
                "two streams, one mark in each",
                "A <, A run, A |, B long, B >",
                "one-queue",
                "host-clock",
            ),
            drawn(
                "a wait",
                "A <, A long, A |, B run, B wait, B run, B >",
                "wait-ignored",
                "times-added",
            ),
            drawn(
                "a wait for an event that has already passed",
                "A short, A |, B <, sleep, B wait, B run, B >",
                "idle-time-left-out",
            ),
            drawn(
                "a busy stream waits for an event that has already passed",
                "A short, A |, B <, B long, B wait, B run, B >",
                "time-set-back",
            ),
            drawn("a mark right after a wait", "A <, A long, A |, B wait, B >", "wait-ignored"),
            drawn(
                "more work behind the event that a stream waits for",
                "A <, A run, A |, A long, B wait, B run, B >",
                "waits-too-long",
            ),
            drawn(
                "one stream waits, another one works",
                "A long, A |, C <, B wait, C run, C >",
                "wait-holds-the-host",
            ),
            drawn(
                "the stream that recorded the event goes on working",
                "B long, A run, A <, A |, B wait, A run, A >",
                "wait-holds-both",
            ),
            drawn(
                "a stream waits for a stream that has waited itself",
                "A <, A long, A |, B wait, B run, B mark, C after, C run, C >",
                "wait-ignored",
            ),
            drawn(
                "the host waits for an event",
                "A <, A long, A |, B run, synchronize, B run, B >",
                "synchronize-ignored",
            ),
            drawn(
                "the host waits, then sleeps",
                "A <, A run, A |, synchronize, sleep, A run, A >",
                "synchronize-ignored",
            ),
            drawn(
                "the host waits for an event that has already passed",
                "A <, A short, A |, sleep, synchronize, B run, B >",
                "time-set-back",
                "times-added",
            ),
            drawn(
                "the host waits, and another stream goes on working",
                "C long, A <, A short, A |, synchronize, B run, B >",
                "waits-too-long",
            ),
            drawn(
                "the host waits, and the stream of the event has more work",
                "A <, A short, A |, A long, synchronize, B run, B >",
                "waits-too-long",
            ),
            drawn(
                "the mark that the GPU passes last is recorded first",
                "A long, A >, B run, B <",
                "one-queue",
            ),
            Case(
                "the task's example",
                {
                    "start": "first",
                    "end": "last",
                    "program": [
                        ["record", "a", "first"],
                        ["run", "b", 3],
                        ["run", "a", 6],
                        ["record", "a", "half"],
                        ["wait", "b", "half"],
                        ["run", "b", 4],
                        ["record", "b", "last"],
                    ],
                },
            ),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        """The finding of a case, with the program in its excerpt."""
        found, data = super().judge(case, facts), case.data
        steps = ", ".join(" ".join(map(str, step)) for step in data["program"])
        about = f'from "{data["start"]}" to "{data["end"]}" in {clip(steps, 240)}'
        return found and replace(found, seen=f"{clip(found.seen, 60)} {about}")

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        """The result in ms, or the name of its type."""
        value = described.get("value")
        return f"{value:.6g} ms" if isinstance(value, int | float) else described["type"]


def _program(text: str, names: Mapping[str, str], rng: random.Random) -> list[list[Any]]:
    """The program of a short text, with durations that are drawn, in ms."""
    lengths = {"short": (2, 9), "run": (11, 40), "sleep": (41, 60), "long": (101, 150)}
    third = "between"
    steps: list[list[Any]] = []
    for word in text.split(", "):
        first, *rest = word.split()
        if first == "sleep":
            steps.append(["sleep", rng.randint(*lengths["sleep"])])
        elif first == "synchronize":
            steps.append(["synchronize", names["|"]])
        elif rest[0] in lengths:
            steps.append(["run", names[first], rng.randint(*lengths[rest[0]])])
        elif rest[0] == "wait":
            steps.append(["wait", names[first], names["|"]])
        elif rest[0] == "after":
            steps.append(["wait", names[first], third])
        else:
            steps.append(["record", names[first], names.get(rest[0], third)])
    return steps
