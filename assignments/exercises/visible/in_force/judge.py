"""Judge `in_force` by a simulation: an environment that changes, and a process that reads it once.

Rivals are the same simulation with one rule changed. A test runs the events as real processes.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from course_utils.checking.contract import Case, Finding, Raise
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

from ..judging import joined, visible_cards, written

CARDS = 4
Events = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Rules:
    """How a program is followed. The fields vary in rivals.

    uses: the events at which CUDA reads the variable. setdefault: when it sets ("missing",
    "missing or empty", "always" or "never"). read_again: which list that was read is read again.
    """

    uses: Sequence[str] = ("tensor", "is_available")
    first_set_wins: bool = False
    setdefault: str = "missing"
    read_again: Callable[[list[int]], bool] = lambda cards: False
    child_has_read: bool = False
    child_inherits: bool = True
    late_changes_lost: bool = False
    start_counts: bool = True
    unset: Sequence[int] = range(CARDS)


def in_force(start: str | None, events: Events, rules: Rules) -> list[int]:
    """The cards that the process of the last event works with."""
    value, read = (start if rules.start_counts else None), None
    for kind, *new in events:
        sets = {
            "set": value is None or not rules.first_set_wins,
            "setdefault": rules.setdefault == "always"
            or (rules.setdefault == "missing" and value is None)
            or (rules.setdefault == "missing or empty" and not value),
        }
        if sets.get(kind) and not (rules.late_changes_lost and read is not None):
            value = new[0]
        elif kind == "child":
            read = read if rules.child_has_read else None
            value = value if rules.child_inherits else start
        elif kind in rules.uses and (read is None or rules.read_again(read)):
            read = _cards(value, rules)
    return _cards(value, rules) if read is None else read


def _cards(value: str | None, rules: Rules) -> list[int]:
    return list(rules.unset) if value is None else visible_cards(value, CARDS)


def _changed(finding: str, **rules: Any) -> Rival:
    return Rival(finding, lambda start, events: in_force(start, events, Rules(**rules)))


def _right(start: str | None, events: Events) -> list[int]:
    return in_force(start, events, Rules())


def _parent_only(start: str | None, events: Events) -> list[int]:
    kinds = [kind for kind, *_ in events]
    return _right(start, events[: kinds.index("child")])


class InForce(OracleJudge):
    form, types, otherwise = "a list of whole numbers", ("list", "tuple"), "cards-wrong"
    rivals = (
        Rival("other-form", lambda **data: [str(card) for card in _right(**data)]),
        Rival("logical-numbers", lambda **data: list(range(len(_right(**data))))),
        _changed("empty-read-again", read_again=lambda cards: not cards),
        _changed("is-available-only-asks", uses=("tensor",)),
        _changed("device-count-freezes", uses=("tensor", "is_available", "device_count")),
        _changed("import-freezes", uses=("tensor", "is_available", "import")),
        _changed("setdefault-overrides", setdefault="always"),
        _changed("setdefault-overrides", setdefault="missing or empty"),
        _changed("setdefault-ignored", setdefault="never"),
        _changed("child-begins-anew", late_changes_lost=True),
        _changed("child-is-frozen", child_has_read=True),
        Rival("child-is-frozen", _parent_only),
        _changed("child-begins-anew", child_inherits=False),
        _changed("first-write-wins", first_set_wins=True),
        _changed("start-forgotten", start_counts=False),
        _changed("unset", unset=()),
        _changed("unset", unset=(0,)),
        _changed("last-write-wins", uses=()),
        _changed("last-write-wins", read_again=lambda cards: True),
        Rival("order-lost", lambda **data: sorted(_right(**data))),
    )

    def oracle(self, **data: Any) -> list[int]:
        return _right(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def drawn(title: str, program: str, *findings: str) -> Case:
            return Case(title, self.telling(lambda: _draw(rng, program), *findings))

        return [
            Case("the task's first example", _program("set 2,3; import; tensor")),
            Case("the task's second example", _program("import; set 0,1; tensor; set 2,3")),
            drawn(
                "a value from the shell",
                "start A; import; tensor",
                "start-forgotten",
                "order-lost",
                "logical-numbers",
            ),
            drawn("the variable is never set", "import; tensor", "unset"),
            drawn("set after the import", "import; set A; tensor", "import-freezes"),
            drawn(
                "two assignments before the first use",
                "import; set A; set B; tensor",
                "first-write-wins",
            ),
            drawn(
                "another value from the shell, replaced in time",
                "start A; set B; import; tensor",
                "first-write-wins",
            ),
            drawn(
                "changed after the first tensor",
                "import; set A; tensor; set B; tensor",
                "last-write-wins",
            ),
            drawn(
                "`is_available`, then set",
                "start A; import; is_available; set B; tensor",
                "is-available-only-asks",
            ),
            drawn(
                "`is_available` without a value, then set",
                "import; is_available; set A",
                "is-available-only-asks",
            ),
            drawn(
                "`device_count`, then set",
                "start A; import; device_count; set B; tensor",
                "device-count-freezes",
            ),
            drawn(
                "nothing but `device_count`",
                "start A; import; device_count; set B; device_count",
                "device-count-freezes",
            ),
            drawn(
                "`setdefault` with nothing there",
                "setdefault A; import; tensor",
                "setdefault-ignored",
            ),
            drawn(
                "`setdefault` with a value there",
                "start A; import; setdefault B; tensor",
                "setdefault-overrides",
            ),
            drawn(
                "`setdefault` with an empty value there",
                "start -; import; device_count; setdefault A",
                "setdefault-overrides",
            ),
            drawn(
                "`setdefault` twice",
                "setdefault A; import; setdefault B; tensor",
                "setdefault-overrides",
            ),
            drawn("`setdefault` after the first use", "import; tensor; setdefault A"),
            drawn(
                "an empty value, read and then replaced",
                "start -; import; is_available; set A; is_available",
                "empty-read-again",
            ),
            drawn("hidden after the first use", "import; set A; tensor; set -"),
            drawn(
                "a child that sets the variable",
                "start A; import; tensor; child; set B; import; tensor; set C",
                "child-is-frozen",
            ),
            drawn(
                "a child of a process that has used CUDA",
                "start A; import; set B; tensor; set C; child; import; tensor",
                "child-begins-anew",
            ),
            drawn(
                "a child that uses `setdefault`",
                "import; set A; child; setdefault B; import; tensor",
                "setdefault-overrides",
            ),
            drawn(
                "a child of a child",
                "import; set A; tensor; child; set B; import; "
                "is_available; set C; child; import; tensor",
                "child-begins-anew",
                "child-is-frozen",
            ),
        ]

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        program = "; ".join(" ".join(event) for event in data["events"])
        return f"{brief(described)} for {written(data['start'])} at the start and: {program}"

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if case.data["start"] is None and raised.type in ("AttributeError", "KeyError"):
            return Finding("unset", f"{raised.type}: {raised.text}", str(_right(**case.data)))
        return None


def _program(text: str) -> dict[str, Any]:
    """The data of a program such as "start 2,3; import; set 0", where "-" is an empty value."""
    events = [event.replace("-", "").split(" ") for event in text.split("; ")]
    start = events.pop(0)[1] if events[0][0] == "start" else None
    return {"start": start, "events": events}


def _draw(rng: random.Random, program: str) -> dict[str, Any]:
    """A program with A, B and C replaced by different values of two or three cards each."""
    values: list[str] = []
    while len(values) < 3:
        value = joined(rng.sample(range(CARDS), rng.randint(2, 3)))
        values += [] if value in values else [value]
    for letter, value in zip("ABC", values, strict=True):
        program = program.replace(f" {letter}", f" {value}")
    return _program(program)


judge = InForce()
