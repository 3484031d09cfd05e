"""Judge `first_card`: the cards in CUDA's order, and the first that the value makes visible.

Rivals do the same with one step changed. A test compares the oracle with virtual machines.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Finding, Raise
from course_utils.checking.facts import brief
from course_utils.checking.oracle import OracleJudge, Rival

from ..judging import visible_cards, written

EXAMPLE = [["GPU-8932f937", 36], ["GPU-1f22a253", 12], ["GPU-2c01dfd4", 83]]
SPEEDS = (8, 11, 13, 19, 36, 67, 83)  # TFLOP/s, as on data sheets
BUS, FASTEST = "PCI_BUS_ID", "FASTEST_FIRST"
Cards = Sequence[Sequence[Any]]


def counted(cards: Cards, order: str | None) -> Cards:
    """The cards in the order in which CUDA counts them."""
    return cards if order == BUS else sorted(cards, key=lambda card: -card[1])


def chosen(cards: Cards, visible: str | None, **rules: str) -> list[str]:
    """The UUIDs that a value leaves of `cards`, which are in CUDA's order.

    rules: as in `visible_cards`, for UUIDs as well ("shared": the beginning of several).
    """
    uuids = [uuid for uuid, _ in cards]
    if visible is None or not visible.startswith("GPU-"):
        return [uuids[index] for index in visible_cards(visible, len(uuids), **rules)]
    found: list[str] = []
    for entry in visible.split(","):
        fitting = [uuid for uuid in uuids if uuid.startswith(entry)]
        if len(fitting) > 1 and rules.get("shared") == "keep":
            fitting = fitting[:1]
        if len(fitting) != 1:
            if rules.get("missing") == "skip":
                continue
            return [] if rules.get("missing") == "hide" else found
        if fitting[0] in found and rules.get("repeat") != "skip":
            return []
        found += fitting
    return found


def first_card(cards: Cards, order: str | None, visible: str | None, **rules: str) -> str | None:
    """The UUID of cuda:0, or None where no card is visible."""
    return next(iter(chosen(counted(cards, order), visible, **rules)), None)


def _rule(finding: str, **rules: str) -> Rival:
    return Rival(finding, lambda **data: first_card(**data, **rules))


def _instead(finding: str, **changes: Any) -> Rival:
    return Rival(finding, lambda **data: first_card(**{**data, **changes}))


def _sorted_otherwise(
    finding: str, key: Callable[[Sequence[Any]], Any], *, backwards: bool = False
) -> Rival:
    """Where the fastest card is first, the cards are sorted by another key."""

    def model(cards: Cards, order: str | None, visible: str | None) -> str | None:
        if order != BUS:
            cards = sorted(cards[::-1] if backwards else cards, key=key)
        return first_card(cards, BUS, visible)

    return Rival(finding, model)


def _falling(uuid: str) -> list[int]:
    return [-ord(letter) for letter in uuid]


def _entry(finding: str, pick: Callable[[Cards, list[str]], str]) -> Rival:
    """Another one of the visible cards is taken for the first."""

    def model(cards: Cards, order: str | None, visible: str | None) -> str:
        cards = counted(cards, order)
        return pick(cards, chosen(cards, visible))

    return Rival(finding, model)


def _first_in_order(cards: Cards, found: list[str]) -> str:
    return next((uuid for uuid, _ in cards if uuid in found), "none")


def _sorted_at_the_end(cards: Cards, order: str | None, visible: str | None) -> str:
    found = chosen(cards, visible)
    return counted([card for card in cards if card[0] in found], order)[0][0]


def _none_if_unset(cards: Cards, order: str | None, visible: str | None) -> str | None:
    return None if visible is None else first_card(cards, order, visible)


def _only_uuid(visible: str | None) -> str:
    if visible is None or not visible.startswith("GPU-") or "," in visible:
        raise ValueError("not the kind of value that this model is about")
    return visible


def _entry_returned(cards: Cards, order: str | None, visible: str | None) -> str:
    return _only_uuid(visible)


def _uuid_missed(cards: Cards, order: str | None, visible: str | None) -> None:
    _only_uuid(visible)


def _slowest_first(cards: Cards, order: str | None, visible: str | None) -> str:
    if visible is not None or order == BUS:
        raise ValueError("none of the cases that this model is about")
    return counted(cards, order)[-1][0]


class FirstCard(OracleJudge):
    form, types, otherwise = "a UUID or None", ("str", "NoneType"), "another-card"
    rivals = (
        Rival("entry-returned", _entry_returned),
        Rival("unset", _none_if_unset),
        _instead("nvidia-smi-order-assumed", order=BUS),
        _instead("fastest-order-assumed", order=None),
        Rival("slowest-first", _slowest_first),
        _sorted_otherwise("equals-out-of-order", lambda card: -card[1], backwards=True),
        _sorted_otherwise("equals-out-of-order", lambda card: (-card[1], card[0])),
        _sorted_otherwise("equals-out-of-order", lambda card: (-card[1], _falling(card[0]))),
        _rule("ambiguous-uuid", shared="keep"),
        Rival("uuid-missed", _uuid_missed),
        _rule("named-twice", repeat="skip"),
        _rule("list-not-ended", missing="skip", negative="skip", word="skip"),
        _rule("all-or-nothing", missing="hide", negative="hide", word="hide"),
        _entry("not-the-first-entry", _first_in_order),
        _entry("not-the-first-entry", lambda cards, found: found[-1]),
        Rival("nvidia-smi-order-assumed", _sorted_at_the_end),
        _instead("value-ignored", visible=None),
        _instead("card-missed", visible=""),
    )

    def oracle(self, **data: Any) -> str | None:
        return first_card(**data)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def case(
            title: str, visible: str | None, order: str | None = None, cards: Cards = EXAMPLE
        ) -> Case:
            return Case(title, {"cards": cards, "order": order, "visible": visible})

        four, five, equal, alike = _machine(rng, 4), _machine(rng, 5), _equals(rng), _alike(rng)
        fastest = [uuid for uuid, _ in counted(alike, None)]
        low, high = sorted(rng.sample(range(1, 5), 2))
        return [
            case("the task's example, nothing set", None),
            case("the task's example, along the bus", None, BUS),
            case("a number, the fastest card first", "2", None, four),
            case("the task's example with a number", "1"),
            case("the task's example with a UUID", "GPU-1f"),
            case("the order is named FASTEST_FIRST", None, FASTEST, four),
            case("cards with the same speed", None, rng.choice((None, FASTEST)), equal),
            case("a number among cards with the same speed", "1", None, equal),
            case("an empty value", ""),
            case("two numbers, the larger one first", f"{high},{low}", None, five),
            case("two numbers, the larger one first, along the bus", f"{high},{low}", BUS, five),
            case("a number, along the bus", str(rng.randint(1, 3)), BUS, four),
            case("the UUID of the slowest card", counted(four, None)[-1][0], FASTEST, four),
            case("a UUID, along the bus", four[2][0], BUS, four),
            case("a UUID that is cut short", alike[1][0][:6], None, alike),
            case("a UUID that is cut too short", alike[2][0][:8], rng.choice((None, BUS)), alike),
            case("a UUID of another machine", "GPU-e0e0e0e0", None, alike),
            case("two UUIDs, the slower card first", f"{fastest[2]},{fastest[1]}", None, alike),
            case("an unknown UUID before a known one", f"GPU-e0e0,{fastest[1]}", None, alike),
            case("an unknown UUID after a known one", f"{fastest[2]},GPU-e0e0", None, alike),
            case("one card by two UUIDs", f"{alike[1][0]},{alike[1][0][:6]}", None, alike),
            case("-1", "-1", None, four),
            case("a number that is too large before another", f"{len(four)},1", BUS, four),
            case("a number that is too large after another", f"{low},{len(five)}", None, five),
            case("one number twice", f"{high},{high}", None, five),
            case("another number twice", f"{high},{low},{low}", BUS, five),
            case("a Python list as a string", f"[{low}]", None, five),
            case("a space in front", f" {low}", None, five),
        ]

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        found = super().explain(seen, data)
        hidden = first_card(**data) is None and found in ("another-card", "value-ignored")
        return "nothing-visible" if hidden else found

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return f"{brief(described)} for {_setting(data)}"

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        visible, right = case.data["visible"], first_card(**case.data)
        seen, expected = f"{raised.type}: {raised.text}", f"{right!r} for {_setting(case.data)}"
        if visible is None and raised.type in ("AttributeError", "TypeError"):
            return Finding("unset", seen, expected)
        if raised.type not in ("ValueError", "IndexError", "StopIteration", "KeyError"):
            return None
        if right is None:
            return Finding("nothing-visible", seen, expected)
        return Finding("uuid-missed", seen, expected) if "GPU-" in visible else None


def _setting(data: Mapping[str, Any]) -> str:
    cards = ", ".join(f"{uuid} ({speed})" for uuid, speed in data["cards"])
    return f"{written(data['visible'])}, order {data['order']}, cards {cards}"


def _machine(rng: random.Random, count: int) -> Cards:
    """Cards with different speeds: the second fastest is first on the bus, the fastest is last."""
    uuids = [f"GPU-{digit}{rng.randrange(16**7):07x}" for digit in rng.sample("1234567890", count)]
    fastest, *others = sorted(rng.sample(SPEEDS, count), reverse=True)
    return [list(card) for card in zip(uuids, [*others, fastest], strict=True)]


def _equals(rng: random.Random) -> Cards:
    """Two slow and three fast cards. In both kinds the UUIDs do not rise or fall along the bus."""
    slow, fast = sorted(rng.sample(SPEEDS, 2))
    digits = zip("85794", (slow, fast, slow, fast, fast), strict=True)
    return [[f"GPU-{digit}{rng.randrange(16**7):07x}", speed] for digit, speed in digits]


def _alike(rng: random.Random) -> Cards:
    """Four cards, of which the last two share the beginning of their UUIDs."""
    begin = f"GPU-c{rng.randrange(16**3):03x}"
    uuids = [f"GPU-{digit}{rng.randrange(16**7):07x}" for digit in "ab"]
    uuids += [f"{begin}{digit}{rng.randrange(16**3):03x}" for digit in "17"]
    speeds = [card[1] for card in _machine(rng, 4)]
    return [list(card) for card in zip(uuids, speeds, strict=True)]


judge = FirstCard()
