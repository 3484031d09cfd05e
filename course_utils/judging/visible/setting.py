"""Judge `visible.set_visible`.

The oracle writes the value down with Python's own `str.join`, after it has read every entry.
"""

import random
import re
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.visible.material import VARIABLE, some_cards

LIST_AS_TEXT = FindingKind(
    name="list-as-text",
    title="brackets and spaces went into the value",
    explanation="`str` of a list writes what Python shows. CUDA reads a bracket as the end of the "
    "list, and every card is hidden.",
    next_step="Join the numbers with commas: `\",\".join(…)`.",
)
SEPARATE = FindingKind(
    name="separate-arguments",
    title="the value is one text",
    explanation="`setdefault` takes a name and one value. Several numbers are written into a "
    "single text, with commas between them.",
    next_step="Join the numbers first, and pass the result as one argument.",
)
NOT_TEXT = FindingKind(
    name="not-a-text",
    title="an environment holds texts only",
    explanation="`os.environ` refuses a number or a list with `TypeError: str expected, not int`.",
    next_step="Make texts of the numbers before you join them or assign them.",
)
NOT_JOINED = FindingKind(
    name="number-joined",
    title="`join` needs texts",
    explanation="`\",\".join([2, 3])` is refused, since 2 and 3 are no texts. NumPy's integers are "
    "none either.",
    next_step="Use `map(str, gpus)` inside `join`.",
)
NOT_OVERRIDDEN = FindingKind(
    name="not-overridden",
    title="the value that was there is still in force",
    explanation="`setdefault` sets a variable that is missing, and changes nothing where there is "
    "one: from the shell, from a scheduler or from an earlier line.",
    next_step="Assign, `env[name] = value`, where `override` is true.",
)
OVERRIDDEN = FindingKind(
    name="overridden",
    title="a value that was there was replaced",
    explanation="With `override=False` somebody's earlier choice stays, an empty one included: it "
    "hides every card on purpose.",
    next_step="Ask whether the variable is there (`in`), and not whether its value is true.",
)
RETURNED = FindingKind(
    name="returned-value",
    title="the result is not the value in force",
    explanation="The result tells the caller what holds now. That need not be what was asked for.",
    next_step="Return what the mapping holds at the end.",
)
NOT_WRITTEN = FindingKind(
    name="not-written",
    title="the mapping did not get the value",
    explanation="Whoever calls the function will start CUDA with `env` afterwards: the value has "
    "to be there.",
    next_step=f"Write it to `env[\"{VARIABLE}\"]`.",
)
OWN_ENVIRONMENT = FindingKind(
    name="own-environment",
    title="the environment of this process was changed",
    explanation="The function is given the mapping that it is to write to. `os.environ` is another "
    "one: here a change of it would go unnoticed, and last.",
    next_step="Use `env` everywhere, and `os.environ` nowhere.",
)
ACCEPTED = FindingKind(
    name="bad-entry-accepted",
    title="an entry that names no card was accepted",
    explanation="It would end the list, or mean other cards than it seems to. A full-width comma "
    "is not a comma, a text with a comma holds two entries, and no card has a negative number.",
    next_step="Look at the text of each entry: digits only, or `GPU-` or `MIG-` in front. Else "
    "raise a `ValueError`.",
)
TWICE_ACCEPTED = FindingKind(
    name="twice-accepted",
    title="a card may be named once",
    explanation="A repeated card hides all of them, so this cannot be what was meant.",
    next_step="Compare the texts of the entries: `2` and `\"2\"` are the same card.",
)
REFUSED = FindingKind(
    name="refused-needlessly",
    title="this list is a good one",
    explanation="Entries may be whole numbers, NumPy's included, texts of digits, and UUIDs. A "
    "list without any entry is allowed as well.",
    next_step="Make a text of each entry first, and look at that.",
)
OTHER_ERROR = FindingKind(
    name="other-error",
    title="another error was raised",
    explanation="For an entry that names no card the task asks for a `ValueError`: the type is "
    "right, the value is not.",
    next_step="Ask whether the entry is a good one, and `raise ValueError(…)` yourself.",
)
HALF_DONE = FindingKind(
    name="written-and-refused",
    title="something was written before the list was refused",
    explanation="After an error everything should be as before, or the wrong value stays in force.",
    next_step="Check all entries first, and write afterwards.",
)
EMPTY = FindingKind(
    name="empty-list",
    title="an empty list hides every card",
    explanation="Its value is the empty text. That is no mistake, and not the same as no value.",
    next_step="Let an empty list go the way of all others: joining nothing gives an empty text.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="more was changed than the one variable",
    explanation="The list belongs to the caller, and so do the other variables in `env`.",
    next_step="Make a new list of texts, and write to one name only.",
)
OTHER = FindingKind(
    name="other-value",
    title="the value names the cards in another way",
    explanation="The entries stand in their order, with a comma and nothing else between them.",
    next_step="Print the value with `repr`, and compare it character by character.",
)

UUIDS = (
    "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6",
    "GPU-1f22a253-c329-dfb7-0db4-e005efb6a4c7",
    "MIG-2c01dfd4-1a3f-5b2c-9d7b-0123456789ab",
)
OTHERS = {"PATH": "/usr/bin", "CUDA_DEVICE_ORDER": "PCI_BUS_ID"}


class SetVisible(Judge):
    """Compares mapping and result with the joined entries."""

    name = "visible.set_visible"
    findings = (
        LIST_AS_TEXT,
        SEPARATE,
        NOT_TEXT,
        NOT_JOINED,
        NOT_OVERRIDDEN,
        OVERRIDDEN,
        RETURNED,
        NOT_WRITTEN,
        OWN_ENVIRONMENT,
        ACCEPTED,
        TWICE_ACCEPTED,
        REFUSED,
        OTHER_ERROR,
        HALF_DONE,
        EMPTY,
        INPUT_CHANGED,
        OTHER,
    )
    hints = (
        "Three steps, in this order: make a text of each entry; look at these texts, and refuse "
        "bad ones; write the joined text, unless there is a value that is to stay.",
        "`texts = [str(gpu) for gpu in gpus]` makes the texts, of NumPy's integers as well. A text "
        "names a card if it consists of digits (`isdigit()`) or begins with `\"GPU-\"` or "
        "`\"MIG-\"` (`startswith` takes a tuple of beginnings).",
        "`len(set(texts)) < len(texts)` tells that something is repeated. `setdefault` does what "
        "`override=False` asks for, an assignment does what `override=True` asks for.",
        "A similar case: keep a list of guests under one name.\n"
        "```python\n"
        "def invite(names, replace, board):\n"
        "    for name in names:\n"
        "        if not name.isalpha():\n"
        "            raise ValueError(f\"{name!r} is no name\")\n"
        "    text = \" & \".join(names)\n"
        "    if replace or \"guests\" not in board:\n"
        "        board[\"guests\"] = text\n"
        "    return board[\"guests\"]\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        a, b, c = some_cards(rng, 10, 3)
        old = str(rng.randint(10, 15))
        one, two = rng.sample(UUIDS[:2], 2)
        drawn = [
            ("two cards", "", [2, 3], True, None),
            ("another value is there, override", "", [2, 3], True, "0"),
            ("another value is there, no override", "", [2, 3], False, "0"),
            ("nothing is there, no override", "", [0, 3, 2], False, None),
            ("a negative number", "", [0, -1], True, None),
            ("three cards", "the order of the cards", [a, b, c], True, old),
            ("one card", "a single card", [b], True, None),
            ("NumPy's integers", "integers of NumPy", [a, b], True, None),
            ("no card", "no card at all", [], True, old),
            ("an empty value is there", "an empty value that is there", [a], False, ""),
            ("an empty value, override", "an empty value that is to go", [a, b], True, ""),
            ("no card, value is there", "no card, and a value that stays", [], False, old),
            ("texts of digits", "numbers as texts", [str(a), str(c)], True, None),
            ("two digits", "numbers of two digits", [10 + a, b], False, None),
            ("UUIDs", "cards named by UUID", [one, two], True, old),
            ("one UUID", "a part of a card", [UUIDS[2]], True, None),
            ("a full-width comma", "a comma that is none", [f"{a}\uff0c{b}"], True, None),
            ("a text with a comma", "two cards in one text", [f"{a},{b}"], True, old),
            ("a device", "a device instead of a number", [f"cuda:{a}"], False, None),
            ("an empty text", "an entry that is empty", [a, ""], True, None),
            ("a text of a negative number", "a negative number as a text", [f"-{c}"], True, None),
            ("a number twice", "a repeated card", [a, b, a], True, old),
            ("a number and its text", "a repeated card in another form", [a, str(a)], True, None),
            ("refused, value is there", "a bad entry after a good one", [a, -b - 1], True, old),
        ]
        return [
            Case(
                title,
                separates or title,
                {
                    "gpus": gpus,
                    "numpy": "NumPy" in title,
                    "override": override,
                    "env": OTHERS if value is None else {**OTHERS, VARIABLE: value},
                },
                bool(separates),
            )
            for title, separates, gpus, override, value in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        before, wanted = data["env"].get(VARIABLE), outcome(data)
        what = f"gpus={data['gpus']}, override={data['override']}, {_shown(before)}"
        after = brief(facts["value"])
        if facts["own"]:
            return OWN_ENVIRONMENT.found("a change of os.environ", "a change of env alone")
        if not facts["kept"] or not facts["others"]:
            return INPUT_CHANGED.found("another list or other variables", "both as before")
        if wanted is None:
            if not facts["refused"]:
                kind = TWICE_ACCEPTED if _all_good(data["gpus"]) else ACCEPTED
                return kind.found(after, f"a ValueError for {what}")
            if facts["value"]["value"] != before:
                return HALF_DONE.found(after, f"{before!r} for {what}")
            return None
        expected = f"{wanted!r} for {what}"
        if facts["refused"]:
            return (REFUSED if data["gpus"] else EMPTY).found("a ValueError", expected)
        if facts["value"].get("value") != wanted:
            return _name(facts, data, before, wanted).found(after, expected)
        if facts["returned"] != {"type": "str", "value": wanted}:
            return RETURNED.found(brief(facts["returned"]), expected)
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        seen = f"{raised.type}: {raised.text}"
        wanted = outcome(case.data)
        for words, kind in _TYPE_ERRORS.items():
            if raised.type == "TypeError" and words in raised.text:
                return kind.found(seen, repr(wanted))
        return OTHER_ERROR.found(seen, "a ValueError") if wanted is None else None


_TYPE_ERRORS = {
    "setdefault": SEPARATE,
    "str expected, not": NOT_TEXT,
    "sequence item": NOT_JOINED,
}


def outcome(data: Mapping[str, Any]) -> str | None:
    """The value in force afterwards; None where a `ValueError` is due."""
    entries = [str(gpu) for gpu in data["gpus"]]
    if not _all_good(entries) or len(set(entries)) < len(entries):
        return None
    if not data["override"] and VARIABLE in data["env"]:
        return data["env"][VARIABLE]
    return ",".join(entries)


def _all_good(entries: Sequence[Any]) -> bool:
    return all(re.fullmatch(r"\d+|(GPU|MIG)-.+", str(entry)) for entry in entries)


def _name(
    facts: Facts, data: Mapping[str, Any], before: str | None, wanted: str
) -> FindingKind:
    seen = facts["value"].get("value")
    if not data["gpus"] and data["override"]:
        return EMPTY
    if not data["override"] and before is not None:
        return OVERRIDDEN
    if seen == before:
        return NOT_WRITTEN if before is None else NOT_OVERRIDDEN
    if isinstance(seen, str) and ("[" in seen or "'" in seen or "(" in seen):
        return LIST_AS_TEXT
    return OTHER


def _shown(before: str | None) -> str:
    return "nothing there" if before is None else f"{before!r} there"
