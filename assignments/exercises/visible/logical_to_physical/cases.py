"""Cases of `logical_to_physical`: each kind of entry, and each thing that ends the list."""

from exercise_kit import Look, Raises

from ..drawing import joined, some_cards

looks = (Look("result", "cards-wrong"),)
raises = (
    Raises("unset", "AttributeError", "'NoneType'"),
    Raises("unset", "TypeError", "'NoneType'"),
    Raises("no-number", "ValueError", "invalid literal for int()"),
)


def explain(fact, seen, right, data):
    if fact != "result" or seen["type"] not in ("list", "tuple"):
        return None
    return {None: "unset", "": "empty-value"}.get(data["value"])


def cases(rng):
    n = rng.randint(5, 8)
    a, b, c = some_cards(rng, n - 1, 3)  # none is the last, which -1 would be in Python
    rows = [
        ("the task's example of two cards", "2,3", 4),
        ("the task's example of three cards", "0,3,2", 4),
        ("the task's example without a value", None, 2),
        ("the task's example with a number that is too large", "1,7,0", 4),
        ("three cards, out of order", joined((a, b, c)), n),
        ("the variable is not set, on another machine", None, n),
        ("an empty value", "", n),
        ("only the last card of the machine", str(n - 1), n),
        ("-1 alone", "-1", n),
        ("a negative number in the middle", joined((a, b, -1, c)), n),
        ("the smallest number that is too large", joined((a, n, b)), n),
        ("only a number that is too large", str(n + rng.randint(1, 5)), n),
        ("a card that is named twice", joined((a, b, a)), n),
        ("the same card twice in a row", f"{b},{b}", n),
        ("a repeated number after the end of the list", joined((a, -1, a)), n),
        ("a Python list as a string", str([a, b]), n),
        ("a word among the numbers", f"{a},cuda:{b},{c}", n),
        ("a comma at the end", f"{a},{b},", n),
        ("an empty entry in the middle", f"{a},,{b}", n),
        ("spaces after the commas", joined((a, b, c), ", "), n),
        ("a space in front", f" {b}", n),
        ("numbers with two digits", joined((11, a, 10)), 12),
    ]
    return [(title, {"value": value, "n_physical": cards}) for title, value, cards in rows]
