"""Judge `early_reads`: what each stream knows to be done, or believes, with a rule switched off."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

Program = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Rules:
    """How streams depend on each other; each rule can be switched off.

    waits: `wait` counts. both_ways: it holds for both streams. later: also for what is queued in
    the other stream later. transitive: it passes on what the other stream waited for itself.
    synchronizes: the host's waiting counts, for_all: for all streams, and of_all: for all work.
    """

    waits: bool = True
    both_ways: bool = False
    later: bool = False
    transitive: bool = True
    synchronizes: bool = True
    for_all: bool = True
    of_all: bool = False


def reads_too_early(program: Program, rules: Rules) -> list[int]:
    done: dict[str, set[str]] = {stream: set() for step in program for stream in _streams(step)}
    own: dict[str, set[str]] = {stream: set() for stream in done}
    listening: set[tuple[str, str]] = set()
    host: set[str] = set()
    written: set[str] = set()
    early = []
    for position, (step, stream, *rest) in enumerate(program):
        known = done[stream]
        known |= host
        for waiting, other in listening:
            done[waiting] |= own[other]
        if step == "write":
            written.add(rest[0])
            known.add(rest[0])
            own[stream].add(rest[0])
        elif step == "read":
            if rest[0] in written and rest[0] not in known:
                early.append(position)
        elif step == "wait" and rules.waits:
            pairs = [(stream, rest[0])] + [(rest[0], stream)] * rules.both_ways
            for waiting, other in pairs:
                done[waiting] |= done[other] if rules.transitive else own[other]
                if rules.later:
                    listening.add((waiting, other))
        elif step == "synchronize" and rules.synchronizes:
            if rules.of_all:
                host |= written
            elif rules.for_all:
                host |= known
    return early


def _streams(step: Sequence[str]) -> list[str]:
    return [step[1], step[2]] if step[0] == "wait" else [step[1]]


def _other_stream(program: Program) -> list[int]:
    """Every read of what another stream has written, whatever was waited for."""
    by = {step[2]: step[1] for step in program if step[0] == "write"}
    return [
        position
        for position, (step, stream, *rest) in enumerate(program)
        if step == "read" and by.get(rest[0], stream) != stream
    ]


def _turned_round(program: Program) -> list[int]:
    turned = [(s[0], s[2], s[1]) if s[0] == "wait" else s for s in program]
    return reads_too_early(turned, Rules())


def _without_position(program: Program) -> list[int]:
    """Whether two streams have waited anywhere in the program."""
    pairs = {(step[1], step[2]) for step in program if step[0] == "wait"}
    by = {step[2]: step[1] for step in program if step[0] == "write"}
    return [p for p in _other_stream(program) if (program[p][1], by[program[p][2]]) not in pairs]


def _rival(finding: str, **changes: bool) -> Rival:
    rules = replace(Rules(), **changes)
    return Rival(finding, lambda program: reads_too_early(program, rules))


class EarlyReads(OracleJudge):
    form, types, otherwise = "a list of positions", ("list", "tuple"), "other-positions"
    rivals = (
        _rival("waits-both-ways", both_ways=True),
        _rival("later-work-waited-for", later=True),
        _rival("third-stream", transitive=False),
        _rival("synchronize-ignored", synchronizes=False),
        _rival("synchronize-ignored", for_all=False),
        _rival("synchronize-of-all", of_all=True),
        Rival("waits-the-wrong-way", _turned_round),
        Rival("wait-too-late", _without_position),
        Rival("reads-numbered", lambda program: _numbered(program)),
        Rival("names", lambda program: [program[p][2] for p in _right(program)]),
        Rival("queued-first", lambda program: []),
        Rival("waits-ignored", lambda program: _other_stream(program)),
        _rival("waits-ignored", waits=False),
    )

    def oracle(self, **data: Any) -> list[int]:
        return _right(data["program"])

    def cases(self, rng: random.Random) -> Sequence[Case]:
        a, b, c = rng.sample(["main", "copies", "side", "loader", "exchange"], 3)
        x, y, z = rng.sample(["batch", "mask", "weights", "outputs", "targets"], 3)
        rows: list[tuple[str, Program]] = [
            ("one stream", _program(f"w {a} {x}, r {a} {x}, w {a} {y}, r {a} {y}")),
            ("two streams, no wait", _program(f"w {a} {x}, w {b} {y}, r {b} {x}, r {b} {y}")),
            ("a wait", _program(f"w {a} {x}, w {b} {y}, wait {b} {a}, r {b} {x}, r {a} {y}")),
            ("a read before the wait", _program(f"w {a} {x}, r {b} {x}, wait {b} {a}, r {b} {x}")),
            ("a wait the other way round", _program(f"w {a} {x}, wait {a} {b}, r {b} {x}")),
            (
                "waits in both directions",
                _program(
                    f"w {b} {y}, w {a} {x}, wait {a} {b}, r {a} {y}, r {b} {x}, wait {b} {a}, "
                    f"r {b} {x}"
                ),
            ),
            (
                "a write after the wait",
                _program(f"w {a} {x}, wait {b} {a}, w {a} {y}, r {b} {x}, r {b} {y}"),
            ),
            ("a wait before all work", _program(f"wait {b} {a}, w {a} {x}, r {b} {x}")),
            (
                "by way of a third stream",
                _program(f"w {a} {x}, wait {b} {a}, wait {c} {b}, r {c} {x}"),
            ),
            (
                "a third stream that waited too early",
                _program(f"w {a} {x}, wait {c} {b}, wait {b} {a}, r {c} {x}, r {b} {x}"),
            ),
            (
                "the host waits for the writing stream",
                _program(f"w {a} {x}, s {a}, r {b} {x}, r {c} {x}"),
            ),
            (
                "the host waits for another stream",
                _program(f"w {a} {x}, w {b} {y}, s {b}, r {c} {x}, r {c} {y}"),
            ),
            (
                "a write after the host has waited",
                _program(f"w {a} {x}, s {a}, w {a} {y}, r {b} {x}, r {b} {y}"),
            ),
            (
                "the host waits for a stream that waited",
                _program(f"w {a} {x}, wait {b} {a}, s {b}, r {c} {x}"),
            ),
            (
                "tensors that are never written",
                _program(f"r {a} {x}, w {a} {y}, r {b} {x}, r {b} {y}"),
            ),
            ("a stream that waits for itself", _program(f"w {a} {x}, wait {b} {b}, r {b} {x}")),
            (
                "a pipeline of three streams",
                _program(
                    f"w {a} {x}, wait {b} {a}, w {b} {y}, w {a} {z}, wait {c} {b}, r {c} {x}, "
                    f"r {c} {y}, r {c} {z}"
                ),
            ),
            (
                "the task's example",
                _program("w copies batch, r main batch, wait main copies, r main batch"),
            ),
        ]
        return [Case(title, {"program": program}) for title, program in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found = super().judge(case, facts)
        program = ", ".join(" ".join(step) for step in case.data["program"])
        return found and replace(found, seen=f"{clip(found.seen, 80)} for {clip(program, 220)}")

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return clip(brief(described), 80)


def _right(program: Program) -> list[int]:
    return reads_too_early(program, Rules())


def _numbered(program: Program) -> list[int]:
    """Positions among the reads alone."""
    reads = [position for position, step in enumerate(program) if step[0] == "read"]
    return [reads.index(position) for position in _right(program)]


def _program(text: str) -> list[list[str]]:
    words = {"w": "write", "r": "read", "s": "synchronize"}
    steps = [step.split() for step in text.split(", ")]
    return [[words.get(first, first), *rest] for first, *rest in steps]


judge = EarlyReads()
