"""Judge `visible.physical_of`.

The oracle looks the device up in the list that the value gives by torch's rules.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.visible.material import joined, shown, some_cards, visible_numbers

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the card is a whole number",
    explanation="What is asked for is the physical number of one card, and a text of digits is "
    "something else.",
    next_step="Return an `int`.",
)
PHYSICAL_NAME = FindingKind(
    name="number-kept",
    title="the number of the device was taken for that of the card",
    explanation="The cards lose their own numbers: `cuda:1` is the second card that the value "
    "names, whatever its number.",
    next_step="Use the number of the device as a place in the list of visible cards.",
)
SORTED = FindingKind(
    name="sorted",
    title="the order of the list was lost",
    explanation="The first card that is named becomes `cuda:0`, also if a smaller number follows. "
    "Texts are sorted by their letters besides, so that `10` comes before `2`.",
    next_step="Leave the list in its order.",
)
NOT_REFUSED = FindingKind(
    name="not-refused",
    title="a device that does not exist was given a card",
    explanation="With two visible cards there are `cuda:0` and `cuda:1`, and no others. An answer "
    "for another one would hide the mistake from whoever asks.",
    next_step="Raise a `ValueError` if the number of the device is not a place in the list.",
)
LIST_END = FindingKind(
    name="list-not-ended",
    title="the list of visible cards ends earlier",
    explanation="A number that no card has, or an entry that is no number, ends the list; a card "
    "that is named twice empties it. These are the rules of task 1.",
    next_step="Make the list of visible cards first, with the rules of task 1, and look up the "
    "device afterwards.",
)
NOT_CUDA = FindingKind(
    name="other-type",
    title="a device of another type has no card",
    explanation="The list of visible cards is about CUDA devices. The CPU is none.",
    next_step="Look at what stands before the colon, and raise a `ValueError` for all but `cuda`.",
)
REFUSED = FindingKind(
    name="refused-needlessly",
    title="this device exists",
    explanation="Whether it does depends on how many cards are visible. Which numbers they have "
    "in the machine does not matter for that.",
    next_step="Compare the number of the device with the length of the list.",
)
NO_NUMBER = FindingKind(
    name="number-missing",
    title="`cuda` without a number is a device too",
    explanation="It is the current one. That is the first, as long as nobody has chosen another.",
    next_step="Take 0 for a number that is missing.",
)
LAST_DIGIT = FindingKind(
    name="one-digit",
    title="a number can have more than one digit",
    explanation="`device[-1]` is one character: that of `cuda:11` is `1`.",
    next_step="Take everything after the colon: `device.partition(\":\")` gives three parts.",
)
UNSET = FindingKind(
    name="unset",
    title="without the variable, every card is visible",
    explanation="`None` means that nobody has set it. Then device and card have the same number.",
    next_step="Handle `None` before you split anything.",
)
OTHER_ERROR = FindingKind(
    name="other-error",
    title="another error was raised",
    explanation="For a device that does not exist the task asks for a `ValueError`. An error that "
    "comes about by chance says nothing that helps.",
    next_step="Ask whether the device exists, and `raise ValueError(…)` yourself.",
)
MESSAGE = FindingKind(
    name="message",
    title="the message does not name the device",
    explanation="Whoever reads it wants to know which device is meant. A `ValueError` of `int(…)`, "
    "which came about by chance, does not say it.",
    next_step="Put `device` into the message of your own `ValueError`.",
)
OTHER = FindingKind(
    name="another-card",
    title="this is another card",
    explanation="The list of visible cards is counted from 0: `cuda:0` is its first entry.",
    next_step="Print the list of visible cards, and count with your finger.",
)


class PhysicalOf(Judge):
    """Compares the card, or the refusal, with what the list of visible cards gives."""

    name = "visible.physical_of"
    findings = (
        WRONG_FORM,
        PHYSICAL_NAME,
        SORTED,
        NOT_REFUSED,
        LIST_END,
        NOT_CUDA,
        REFUSED,
        NO_NUMBER,
        LAST_DIGIT,
        UNSET,
        OTHER_ERROR,
        MESSAGE,
        OTHER,
    )
    hints = (
        "Three steps: the list of visible cards, as in task 1; the number of the device; and a "
        "look into the list. The given function mixes the first and the last.",
        "You may call your `logical_to_physical` for the first step. For the second, "
        "`kind, _, number = device.partition(\":\")` gives `\"cuda\"` and `\"1\"`, or `\"cuda\"` "
        "and `\"\"`.",
        "The device exists if its type is `cuda` and its number is smaller than the length of the "
        "list. Ask this before you look into the list.",
        "A similar case: who sits on seat 2 of a row?\n"
        "```python\n"
        "def guest(row, seat):               # row: names in order, seat: 'seat:2'\n"
        "    kind, _, number = seat.partition(\":\")\n"
        "    place = int(number or 0)\n"
        "    if kind != \"seat\" or place >= len(row):\n"
        "        raise ValueError(f\"{seat} does not exist\")\n"
        "    return row[place]\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        n = rng.randint(6, 8)
        a, b, c = some_cards(rng, n, 3)
        listed = joined((a, b, c))
        many = joined(rng.sample(range(16), 16))
        drawn = [
            ("the second of two", "", "2,3", "cuda:1", 4),
            ("the second of three, out of order", "", "0,3,2", "cuda:1", 4),
            ("the third of two", "", "2,3", "cuda:2", 4),
            ("the variable is not set", "", None, "cuda:2", 4),
            ("without a number", "", "3,1", "cuda", 4),
            ("first of three", "the first card of a list", listed, "cuda:0", n),
            ("last of three", "the last card of a list", listed, "cuda:2", n),
            ("one too many", "one device too many", listed, "cuda:3", n),
            ("a number of the list", "a device whose number stands in the list",
             joined((5, 4)), f"cuda:{rng.choice((4, 5))}", n),
            ("not set, too large", "one device too many, and nothing set", None, f"cuda:{n}", n),
            ("nothing visible", "no card is visible", rng.choice(("", "-1")), "cuda:0", n),
            ("nothing visible, no number", "no card is visible, and no number", "", "cuda", n),
            ("after a missing card", "a list that a missing card ends",
             joined((a, n + 1, b)), "cuda:1", n),
            ("after the smallest missing card", "the smallest number that no card has",
             joined((a, n, b)), "cuda:1", n),
            ("after a negative number", "a list that a negative number ends",
             joined((a, b, -1, c)), "cuda:2", n),
            ("named twice", "a card that is named twice", joined((a, b, b)), "cuda:0", n),
            ("the CPU", "a device of another type", listed, "cpu", n),
            ("another type", "a number, and another type", listed, "xpu:1", n),
            ("two digits", "a machine with many cards", many, f"cuda:{rng.randint(10, 15)}", 16),
            ("spaces", "spaces in the value", joined((a, b, c), ", "), "cuda:1", n),
        ]
        return [
            Case(
                title,
                separates or title,
                {"value": value, "device": device, "n_physical": cards},
                bool(separates),
            )
            for title, separates, value, device, cards in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        wanted = card_behind(data)
        expected = _wanted(wanted, data)
        if facts["refused"]:
            seen = f"ValueError: {facts['message']}"
            if wanted is not None:
                return _needless(data).found(seen, expected)
            return None if data["device"] in facts["message"] else MESSAGE.found(seen, expected)
        card = facts["card"]
        if wanted is None:
            return _accepted(data).found(brief(card), expected)
        if card["type"] != "int":
            return WRONG_FORM.found(brief(card), expected)
        if card["value"] == wanted:
            return None
        return _name(card["value"], data).found(str(card["value"]), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        seen, expected = f"{raised.type}: {raised.text}", _wanted(card_behind(case.data), case.data)
        if case.data["value"] is None and raised.type in ("AttributeError", "TypeError"):
            return UNSET.found(seen, expected)
        if card_behind(case.data) is None:
            return OTHER_ERROR.found(seen, expected)
        if ":" not in case.data["device"] and raised.type == "IndexError":
            return NO_NUMBER.found(seen, expected)
        return None


def card_behind(data: Mapping[str, Any]) -> int | None:
    """The physical number of the card, or None for a device that does not exist."""
    kind, _, number = data["device"].partition(":")
    cards = dict(enumerate(visible_numbers((data["value"], data["n_physical"]))))
    return cards.get(int(number or 0)) if kind == "cuda" else None


def _wanted(card: int | None, data: Mapping[str, Any]) -> str:
    what = f"{data['device']} under {shown(data['value'])} and {data['n_physical']} cards"
    return f"{card} for {what}" if card is not None else f"a ValueError that names {what}"


def _needless(data: Mapping[str, Any]) -> FindingKind:
    if data["value"] is None:
        return UNSET
    return NO_NUMBER if ":" not in data["device"] else REFUSED


def _accepted(data: Mapping[str, Any]) -> FindingKind:
    """Why a device is none, where the answer found a card."""
    if not data["device"].startswith("cuda"):
        return NOT_CUDA
    place = int(data["device"].partition(":")[2] or 0)
    named = len(data["value"].split(",")) if data["value"] else 0
    return LIST_END if place < named else NOT_REFUSED


def _name(card: int, data: Mapping[str, Any]) -> FindingKind:
    if data["value"] is None:
        return UNSET
    cards = visible_numbers((data["value"], data["n_physical"]))
    place = int(data["device"].partition(":")[2] or 0)
    if place > 9 and card in (place % 10, cards[place % 10]):
        return LAST_DIGIT
    if card in (sorted(cards)[place], int(sorted(map(str, cards))[place])):
        return SORTED
    return PHYSICAL_NAME if card == place else OTHER
