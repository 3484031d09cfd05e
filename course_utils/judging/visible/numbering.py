"""Judge `visible.logical_to_physical`.

The oracle reads the value by torch's rules. A test compares it with torch's own parser, and with
the virtual machine.
"""

import random
from collections.abc import Callable, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.visible.material import (
    joined,
    shown,
    some_cards,
    visible_numbers,
    whole_numbers,
)

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result has another form",
    explanation="It is a list of whole numbers, one for each visible card: what stands at place 0 "
    "is the card behind `cuda:0`.",
    next_step="Compare your result with the example of the exercise, type by type.",
)
SORTED = FindingKind(
    name="sorted",
    title="the order of the list was lost",
    explanation="The order decides which card gets which logical number: the first one that is "
    "named becomes `cuda:0`, whatever its own number.",
    next_step="Keep the cards in the order in which the value names them.",
)
LOGICAL = FindingKind(
    name="logical-numbers",
    title="these are the logical numbers",
    explanation="Logical numbers are always 0, 1, 2, …. What is asked for is the physical card "
    "behind each of them.",
    next_step="Return what stands in the value, and not where it stands.",
)
UNSET = FindingKind(
    name="unset",
    title="without the variable, every card is visible",
    explanation="`None` means that nobody has set it. That is the opposite of an empty value.",
    next_step="Handle `None` first: all cards, in their own order.",
)
EMPTY = FindingKind(
    name="empty-value",
    title="an empty value hides every card",
    explanation="The variable is set, and names no card. The same holds for a value that begins "
    "with something that is no card, such as `-1`.",
    next_step="Return an empty list for it, and tell it apart from `None`.",
)
NEGATIVE = FindingKind(
    name="negative-passed-over",
    title="a negative number ends the list",
    explanation="What stands after it is not read any more. That is why `-1` alone hides every "
    "card.",
    next_step="Leave the loop at a negative number, instead of going on.",
)
NOT_TRUNCATED = FindingKind(
    name="missing-card-passed-over",
    title="a card that does not exist ends the list",
    explanation="CUDA does not skip it: the cards that are named after it are not visible either.",
    next_step="Leave the loop at the first number that no card has.",
)
MISSING_KEPT = FindingKind(
    name="missing-card-kept",
    title="there is no such card",
    explanation="Cards are counted from 0, so that the last number is one less than their count.",
    next_step="Compare each number with `n_physical`, and think about the largest one.",
)
TWICE = FindingKind(
    name="named-twice",
    title="a card that is named twice hides all of them",
    explanation="torch takes such a list for a mistake as a whole, and gives no device at all.",
    next_step="Look for repeated numbers, and return an empty list if there are any.",
)
WORD = FindingKind(
    name="no-number",
    title="what is no number ends the list",
    explanation="Nothing is repaired: a bracket, a word or an empty entry is no card, and whatever "
    "follows is not read. So `str([2, 3])` as a value hides every card.",
    next_step="Ask of each entry whether it consists of digits, and stop at the first that does "
    "not.",
)
SPACES = FindingKind(
    name="spaces",
    title="spaces around a number do not count",
    explanation="torch strips them from each entry.",
    next_step="Use `entry.strip()` before you look at an entry.",
)
OTHER = FindingKind(
    name="cards-wrong",
    title="these are not the cards that are visible",
    explanation="The value is read from left to right, entry by entry, until one is no card of "
    "this machine.",
    next_step="Go through the value by hand, and compare with your function after each entry.",
)


class LogicalToPhysical(Judge):
    """Compares the list with the cards that are visible."""

    name = "visible.logical_to_physical"
    findings = (
        WRONG_FORM,
        SORTED,
        LOGICAL,
        UNSET,
        EMPTY,
        NEGATIVE,
        NOT_TRUNCATED,
        MISSING_KEPT,
        TWICE,
        WORD,
        SPACES,
        OTHER,
    )
    hints = (
        "One case does not need the value at all: `None`. For every other one, "
        "`value.split(\",\")` gives the entries.",
        "Go through the entries with a loop and collect numbers in a list. Three things end it: an "
        "entry that is no number, a negative one, and one that no card has. `break` leaves a loop.",
        "`entry.strip().isdigit()` is true for an entry that consists of digits only, and so is "
        "false for `-1`, for `[2` and for an empty one. Repeated numbers are found at the end: "
        "`len(set(numbers)) < len(numbers)`.",
        "A similar case: a tour visits towns by their numbers, until one is no town.\n"
        "```python\n"
        "def tour(plan, towns):\n"
        "    visited = []\n"
        "    for stop in plan.split(\"-\"):\n"
        "        if stop not in towns:\n"
        "            break                      # the bus turns back here\n"
        "        visited.append(towns[stop])\n"
        "    return visited\n\n"
        "tour(\"b-a-x-b\", {\"a\": \"Oslo\", \"b\": \"Bergen\"})   # ['Bergen', 'Oslo']\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        n = rng.randint(5, 8)
        a, b, c = some_cards(rng, n, 3)
        beyond = rng.randint(n + 1, n + 5)
        pair = joined(sorted((a, b)))
        drawn = [
            ("two cards", "", "2,3", 4),
            ("three cards, out of order", "", "0,3,2", 4),
            ("the variable is not set", "", None, rng.randint(2, 4)),
            ("an empty value", "", "", 4),
            ("a number that no card has", "", "1,7,0", 4),
            ("another order", "the order of the list", joined((a, b, c)), n),
            ("two of many", "fewer cards than there are", pair, n),
            ("not set, other machine", "a machine with other cards, and nothing set", None, n),
            ("minus one", "a negative number alone", "-1", n),
            ("minus one in the middle", "a negative number in the middle",
             joined((a, b, -1, c)), n),
            ("the first missing number", "the smallest number that no card has",
             joined((a, n, b)), n),
            ("a large number at the end", "a card that does not exist", joined((a, b, beyond)), n),
            ("only missing cards", "nothing but a missing card", str(beyond), n),
            ("the last card", "the last card", str(n - 1), n),
            ("the same card twice", "a card that is named twice", joined((a, b, a)), n),
            ("the same card, twice in a row", "the same card twice in a row", f"{b},{b}", n),
            ("brackets", "a Python list as a text", str([a, b]), n),
            ("a word in the middle", "a word among the numbers", f"{a},cuda:{b},{c}", n),
            ("a comma at the end", "a comma at the end", f"{a},{b},", n),
            ("an empty entry", "an empty entry in the middle", f"{a},,{b}", n),
            ("spaces", "spaces", joined((a, b, c), ", "), n),
            ("a space in front", "a space in front", f" {b}", n),
            ("two digits", "a machine with many cards", joined((11, a, 10)), 12),
        ]
        return [
            Case(title, separates or title, {"value": value, "n_physical": cards}, bool(separates))
            for title, separates, value, cards in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        value, cards = case.data["value"], case.data["n_physical"]
        wanted = visible_numbers((value, cards))
        seen = whole_numbers(facts["cards"])
        expected = f"{wanted} for {shown(value)} and {cards} cards"
        if seen is None:
            return WRONG_FORM.found(brief(facts["cards"]), expected)
        if seen == wanted:
            return None
        return _name(seen, wanted, value, cards).found(str(seen), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        value, cards = case.data["value"], case.data["n_physical"]
        expected = f"{visible_numbers((value, cards))} for {shown(value)} and {cards} cards"
        seen = f"{raised.type}: {raised.text}"
        if raised.type == "AttributeError" and value is None:
            return UNSET.found(seen, expected)
        if raised.type == "ValueError" and "invalid literal" in raised.text:
            return (WORD if value and value.strip() else EMPTY).found(seen, expected)
        return None


def _name(
    seen: Sequence[int], wanted: Sequence[int], value: str | None, cards: int
) -> FindingKind:
    if value is None:
        return UNSET
    if not value.strip():
        return EMPTY
    entries = [entry.strip() for entry in value.split(",")]
    if len(wanted) > 1 and list(seen) == sorted(wanted):
        return SORTED
    if wanted and list(seen) == list(range(len(wanted))):
        return LOGICAL
    if any(number >= cards for number in seen):
        return MISSING_KEPT
    if not all(map(_is_number, entries)):
        return WORD
    numbers = [int(entry) for entry in entries]
    if len(set(numbers)) < len(numbers):
        return TWICE
    for kind, cause in _CAUSES:
        if any(cause(number, cards) for number in numbers):
            return kind
    return SPACES if " " in value else OTHER


def _is_number(entry: str) -> bool:
    return entry.removeprefix("-").isdigit()


Cause = Callable[[int, int], Any]

_CAUSES: tuple[tuple[FindingKind, Cause], ...] = (
    (NEGATIVE, lambda number, cards: number < 0),
    (NOT_TRUNCATED, lambda number, cards: number >= cards),
)

