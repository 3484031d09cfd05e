"""Judge `visible.first_card`.

The value is read by torch's rules; the order of the cards is the one that the programming guide
gives for CUDA_DEVICE_ORDER. A test compares the oracle with the virtual machine.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.visible.material import (
    joined,
    shown,
    visible_numbers,
    visible_uuids,
)

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result is a UUID or `None`",
    explanation="A number means another card as soon as the order changes. The UUID, a text, means "
    "one card for ever.",
    next_step="Return the UUID of the card, all of it, or `None` if no card is visible.",
)
PCI_ALWAYS = FindingKind(
    name="nvidia-smi-order-assumed",
    title="CUDA need not count as nvidia-smi does",
    explanation="Unless `CUDA_DEVICE_ORDER` says `PCI_BUS_ID`, the fastest card is number 0. Both "
    "orders are the same only where all cards are.",
    next_step="Put the cards in order first, and let the value choose among them afterwards.",
)
FASTEST_ALWAYS = FindingKind(
    name="fastest-order-assumed",
    title="here the cards are counted along the PCI bus",
    explanation="With `PCI_BUS_ID` the numbers are those of nvidia-smi, and speed plays no part.",
    next_step="Look at `order` before you sort.",
)
SLOWEST = FindingKind(
    name="slowest-first",
    title="the fastest card comes first, not the slowest",
    explanation="`sorted` puts small numbers first, and a fast card has a large one.",
    next_step="Sort by the negative speed.",
)
TIES = FindingKind(
    name="equals-out-of-order",
    title="equally fast cards keep the order of the bus",
    explanation="Sorting backwards, or by the UUID as well, puts equal cards in another order.",
    next_step="Sort by the speed alone: `sorted` leaves equal elements in their order.",
)
VALUE_IGNORED = FindingKind(
    name="value-ignored",
    title="another card was made visible",
    explanation="`CUDA_VISIBLE_DEVICES` chooses among the cards, in the order in which CUDA counts "
    "them. The first one that it names is `cuda:0`.",
    next_step="Read the first entry of the value, and take the card that it names.",
)
SMALLEST = FindingKind(
    name="smallest-number",
    title="the first entry counts, not the smallest",
    explanation="The order of the value is the order of the devices.",
    next_step="Take the entry that stands first.",
)
UUID_MISSED = FindingKind(
    name="uuid-missed",
    title="a UUID was not understood",
    explanation="Entries may be UUIDs, which begin with `GPU-`. They mean the same card in every "
    "order, and may be cut short.",
    next_step="If the value begins with `GPU-`, look for the card whose UUID begins with the "
    "entry.",
)
AMBIGUOUS = FindingKind(
    name="ambiguous-uuid",
    title="this beginning fits more than one card, or none",
    explanation="CUDA does not guess. Such an entry names no card, and ends the list.",
    next_step="Collect all cards whose UUID begins with the entry: it must be exactly one.",
)
HIDDEN = FindingKind(
    name="nothing-visible",
    title="no card is visible here",
    explanation="An empty value, or one that begins with something that is no card, hides all of "
    "them; so does a number that is named twice.",
    next_step="Return `None` where the list of visible cards is empty.",
)
UNSET = FindingKind(
    name="unset",
    title="without a value, every card is visible",
    explanation="Then `cuda:0` is the first card in the order in which CUDA counts.",
    next_step="Handle `None` before you read the value.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="the list of cards was changed",
    explanation="`list.sort` sorts the caller's own list, in place.",
    next_step="Use `sorted`, which makes a new list.",
)
OTHER = FindingKind(
    name="another-card",
    title="this is another card",
    explanation="First the order, then the value: number 2 is the third card in CUDA's order.",
    next_step="Print the cards in their order, with their numbers, and read the value again.",
)

SPEEDS = (8, 11, 13, 19, 36, 67, 83)  # TFLOP/s, as on data sheets


class FirstCard(Judge):
    """Compares the UUID with that of the first card that is visible."""

    name = "visible.first_card"
    findings = (
        WRONG_FORM,
        PCI_ALWAYS,
        FASTEST_ALWAYS,
        SLOWEST,
        TIES,
        VALUE_IGNORED,
        SMALLEST,
        UUID_MISSED,
        AMBIGUOUS,
        HIDDEN,
        UNSET,
        INPUT_CHANGED,
        OTHER,
    )
    hints = (
        "Two steps: put the cards into the order in which CUDA counts them, then let the value "
        "choose the first one.",
        "`sorted(cards, key=…)` makes the first list, unless `order` is `\"PCI_BUS_ID\"`. Its key "
        "is the negative speed; equal elements keep their order.",
        "A value that begins with `GPU-` names cards by their UUIDs: `uuid.startswith(entry)`. "
        "Every other one names numbers, with the rules of task 1. In the end the first visible "
        "card counts, and there may be none.",
        "A similar case: who serves at counter number 1?\n"
        "```python\n"
        "def server(people, order, wanted):       # people: (name, years) in order of arrival\n"
        "    if order != \"ARRIVAL\":\n"
        "        people = sorted(people, key=lambda person: -person[1])\n"
        "    place = int(wanted)\n"
        "    return people[place][0] if place < len(people) else None\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def machine(count: int = 4) -> list[tuple[str, int]]:
            """Cards with different speeds, the first of which is neither fastest nor slowest."""
            while True:
                speeds = rng.sample(SPEEDS, count)
                if speeds[0] not in (min(speeds), max(speeds)):
                    return [(_uuid(rng), speed) for speed in speeds]

        def equals() -> list[tuple[str, int]]:
            slow, fast = sorted(rng.sample(SPEEDS, 2))
            return [(_uuid(rng), speed) for speed in (slow, fast, slow, fast, fast)]

        pci, fastest = "PCI_BUS_ID", "FASTEST_FIRST"
        known = [("GPU-2c01dfd4", 36), ("GPU-1f22a253", 83), ("GPU-8932f937", 12),
                 ("GPU-b7d0e9aa", 19), ("GPU-50a14c66", 67)]
        one, two, three, four = machine(), machine(), machine(5), machine()
        a, b = rng.sample(range(1, 5), 2)
        low, high = sorted(rng.sample(range(5), 2))
        alike = [(f"GPU-{'abcd'[i]}{uuid[5:]}", speed) for i, (uuid, speed) in enumerate(machine())]
        alike[3] = (alike[2][0][:8] + alike[3][0][8:], alike[3][1])
        drawn: list[tuple[str, str, list[tuple[str, int]], str | None, str | None]] = [
            ("five cards, nothing set", "", known, None, None),
            ("five cards along the bus", "", known, pci, None),
            ("two numbers of five", "", known, None, "4,2"),
            ("two numbers of five, along the bus", "", known, pci, "4,2"),
            ("a UUID", "", known, None, "GPU-8932f937"),
            ("an empty value", "", known, None, ""),
            ("fastest first", "another machine, and nothing set", one, rng.choice((None, fastest)),
             None),
            ("along the bus", "another machine, counted along the bus", one, pci, None),
            ("equally fast cards", "cards that are equally fast", equals(), None, None),
            ("a number among equals", "a number, and cards that are equally fast",
             equals(), fastest, str(rng.choice((1, 2, 4)))),
            ("a number", "one number, the fastest first", two, None, str(rng.randint(1, 3))),
            ("a number along the bus", "one number, along the bus", two, pci,
             str(rng.randint(1, 3))),
            ("two numbers", "the order of the value", three, fastest, joined((high, low))),
            ("two numbers along the bus", "the order of the value, along the bus", three, pci,
             joined((a, b))),
            ("a UUID, fastest first", "a UUID among faster cards", four, fastest,
             min(four, key=lambda card: card[1])[0]),
            ("a UUID along the bus", "a UUID, along the bus", four, pci, four[2][0]),
            ("a short UUID", "a UUID that was cut short", alike, None, alike[1][0][:6]),
            ("an ambiguous UUID", "a UUID that was cut too short", alike, pci, alike[3][0][:8]),
            ("an unknown UUID", "a UUID of another machine", alike, None, _uuid(rng, "e")),
            ("two UUIDs", "two UUIDs", alike, None, joined((alike[2][0], alike[0][0]))),
            ("minus one", "a value that hides everything", two, None, "-1"),
            ("too large", "a number that no card has", two, pci, "4,0"),
            ("twice", "a card that is named twice", two, None, f"{a - 1},{a - 1}"),
            ("another one twice", "another card that is named twice", three, pci,
             joined((high, low, low))),
            ("a list as a text", "a value that is no list of numbers", two, pci, f"[{a}]"),
            ("a space", "a space in front", two, None, f" {rng.randint(1, 3)}"),
            ("missing after the first", "a list that ends early", three, None, joined((high, 7))),
        ]
        return [
            Case(
                title,
                separates or title,
                {"cards": [list(card) for card in cards], "order": order, "visible": visible},
                bool(separates),
            )
            for title, separates, cards, order, visible in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, first = case.data, facts["first"]
        wanted = truth(data)
        expected = f"{wanted!r} for {_shown(data)}"
        if not facts["kept"]:
            return INPUT_CHANGED.found("another order", "the list as it was")
        if first["type"] not in ("str", "NoneType"):
            return WRONG_FORM.found(brief(first), expected)
        if first["value"] == wanted:
            return None
        return _name(first["value"], wanted, data).found(repr(first["value"]), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        visible, expected = case.data["visible"], repr(truth(case.data))
        seen = f"{raised.type}: {raised.text}"
        if visible is None:
            return UNSET.found(seen, expected) if raised.type == "AttributeError" else None
        if visible.startswith("GPU-"):
            return (UUID_MISSED if truth(case.data) else AMBIGUOUS).found(seen, expected)
        if truth(case.data) is None and raised.type in ("ValueError", "IndexError"):
            return HIDDEN.found(seen, expected)
        return None


def truth(data: Mapping[str, Any]) -> str | None:
    """The UUID of `cuda:0`, or None where no card is visible."""
    cards, visible = _counted(data["cards"], data["order"]), data["visible"]
    uuids = [uuid for uuid, _ in cards]
    by_uuid = visible is not None and visible.startswith("GPU-")
    places = visible_uuids(visible, uuids) if by_uuid else visible_numbers((visible, len(uuids)))
    return uuids[places[0]] if places else None


def _counted(cards: Sequence[Sequence[Any]], order: str | None) -> list[Sequence[Any]]:
    """The cards in the order in which CUDA counts them."""
    if order == "PCI_BUS_ID":
        return list(cards)
    places = sorted(range(len(cards)), key=lambda place: (-cards[place][1], place))
    return [cards[place] for place in places]


def _name(seen: str | None, wanted: str | None, data: Mapping[str, Any]) -> FindingKind:
    cards, visible = data["cards"], data["visible"] or ""
    if seen is not None and seen not in [uuid for uuid, _ in cards]:
        return WRONG_FORM
    if visible.startswith("GPU-"):
        return UUID_MISSED if wanted else AMBIGUOUS
    if wanted is None:
        return HIDDEN
    if seen is None:
        return UNSET if data["visible"] is None else OTHER
    smallest = min(entry.strip() for entry in visible.split(","))
    if "," in visible and seen == truth({**data, "visible": smallest}):
        return SMALLEST
    other = {"order": None if data["order"] == "PCI_BUS_ID" else "PCI_BUS_ID"}
    if seen == truth({**data, **other}):
        return FASTEST_ALWAYS if data["order"] == "PCI_BUS_ID" else PCI_ALWAYS
    speeds = dict(map(tuple, cards))
    if len(set(speeds.values())) < len(speeds) and speeds[seen] == speeds[wanted]:
        return TIES
    if data["visible"] is not None and seen == truth({**data, "visible": None}):
        return VALUE_IGNORED
    slowest = [[uuid, -speed] for uuid, speed in cards]
    backwards = data["order"] != "PCI_BUS_ID" and seen == truth({**data, "cards": slowest})
    return SLOWEST if backwards else OTHER



def _uuid(rng: random.Random, digit: str | None = None) -> str:
    """A UUID, shortened to be readable."""
    digits = [rng.choice("0123456789abcdef") for _ in range(12)]
    return f"GPU-{digit or ''}{''.join(digits)}"[:16]


def _shown(data: Mapping[str, Any]) -> str:
    cards = ", ".join(f"{uuid} ({speed})" for uuid, speed in data["cards"])
    order, value = shown(data["order"]), shown(data["visible"])
    return f"CUDA_DEVICE_ORDER {order}, value {value}, cards {cards}"
