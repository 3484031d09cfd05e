"""Judge `saving.explain_load_error`.

The oracle compares names and shapes. A test compares it with what `load_state_dict` says.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.saving.material import as_dict, text_of, texts_of

LOAD = "load it"
CLEAN = "clean the keys"
INNER = "load into model.module"
RENAME = "rename the keys"
OTHER = "use the model it was saved from"

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result has another form",
    explanation='It is a dict with the keys `"missing"`, `"unexpected"`, `"size"` and `"advice"`: '
    "three lists of texts and one text.",
    next_step="Compare your result with the example of the exercise, type by type.",
)
MODEL_CHANGED = FindingKind(
    name="model-changed",
    title="the model, or the state dict, is not what it was",
    explanation="`load_state_dict` copies every key that fits, even if it raises afterwards or "
    "is called with `strict=False`. An attempt is not free.",
    next_step="Compare keys and shapes without loading anything.",
)
NOT_CAUGHT = FindingKind(
    name="error-not-caught",
    title="`load_state_dict` raised before there was anything to return",
    explanation="It raises for every difference, and `strict=False` does not help against other "
    "shapes.",
    next_step="Compare `model.state_dict()` with the state dict yourself.",
)
SWAPPED = FindingKind(
    name="missing-and-unexpected-swapped",
    title="missing and unexpected changed places",
    explanation="Both words look at the file: *missing* is what the model has and the file lacks; "
    "*unexpected* is what the file has and the model does not know.",
    next_step="Say the sentence with “in the file” at its end.",
)
BUFFERS_FORGOTTEN = FindingKind(
    name="buffers-forgotten",
    title="a state dict holds more than parameters",
    explanation="Buffers, such as the running mean of a normalisation, are saved and loaded too.",
    next_step="Take the model's keys from `model.state_dict()`.",
)
PASSING_COUNTED = FindingKind(
    name="passing-buffer-counted",
    title="not every buffer is in a state dict",
    explanation="A module can register a buffer with `persistent=False`: it is never saved, so "
    "no file has it and none has to.",
    next_step="Take the model's keys from `model.state_dict()`.",
)
SIZE_IGNORED = FindingKind(
    name="size-ignored",
    title="a key that both have may still not fit",
    explanation="Names are equal and shapes are not: this is the third thing that "
    "`load_state_dict` complains about.",
    next_step="Compare the shapes of the keys that both have.",
)
SIZE_AS_MISSING = FindingKind(
    name="size-taken-for-missing",
    title="a key with another shape is not missing",
    explanation="The file has it, and the model knows it. Only the shape differs, which is a list "
    "of its own.",
    next_step="Compare names first, and shapes only where both have the name.",
)
ORDER_LOST = FindingKind(
    name="order-lost",
    title="the keys are in another order",
    explanation="Sets have no order. In the order of the model and of the file you see at once "
    "which names belong together.",
    next_step="Go through the keys as they come, instead of subtracting sets.",
)
LISTS_WRONG = FindingKind(
    name="lists-wrong",
    title="the lists are not those of `load_state_dict`",
    explanation="Each key of the model and of the file stands in one list at most.",
    next_step="Draw both lists of keys with `key_map` and compare.",
)
STRICT_ADVISED = FindingKind(
    name="strict-advised",
    title="`strict=False` cures nothing",
    explanation="It makes the message go away, and leaves every key that does not fit as it was: "
    "random weights, and no word about it.",
    next_step="Choose the advice from the table of the exercise.",
)
PREFIX_MISSED = FindingKind(
    name="prefix-missed",
    title="only a wrapper stands between the two lists",
    explanation="Without the prefixes at the front of every key, one side is equal to the other. "
    "There may be several of them.",
    next_step="Take the prefixes away, then compare again.",
)
WRONG_SIDE = FindingKind(
    name="wrong-side-cleaned",
    title="it is the other side that is wrapped",
    explanation="If the prefix stands in the *file*, its keys are to be cleaned. If it stands in "
    "the *model*, there is a model inside that fits.",
    next_step="Look on which side the prefix stands.",
)
CLEANED_TOO_SOON = FindingKind(
    name="cleaned-too-soon",
    title="a prefix is there, but it is not all",
    explanation="Advice is good if it helps: without the prefix there are still differences.",
    next_step="Compare once more after the prefix is gone, shapes as well.",
)
ADVICE_WRONG = FindingKind(
    name="advice-wrong",
    title="the advice is that of another case",
    explanation="The rules are tried from the first to the last, and the first that holds counts.",
    next_step="Go through the table with the lists of this case.",
)

Entries = Sequence[Sequence[Any]]


class ExplainLoadError(Judge):
    """First the three lists, then the advice."""

    name = "saving.explain_load_error"
    findings = (
        WRONG_FORM,
        MODEL_CHANGED,
        NOT_CAUGHT,
        SWAPPED,
        BUFFERS_FORGOTTEN,
        PASSING_COUNTED,
        SIZE_IGNORED,
        SIZE_AS_MISSING,
        ORDER_LOST,
        LISTS_WRONG,
        STRICT_ADVISED,
        PREFIX_MISSED,
        WRONG_SIDE,
        CLEANED_TOO_SOON,
        ADVICE_WRONG,
    )
    hints = (
        "`model.state_dict()` is what the model wants, `state_dict` what the file has. Everything "
        "follows from these two, without loading.",
        "Make two dicts of keys and shapes first: `{key: tuple(value.shape) for …}`. Two such "
        "dicts can be compared with `==`, whatever their order.",
        "For the advice, write a helper that takes the prefixes away from a dict of shapes as "
        "long as every key has one. Then the second and third row of the table are one `==` each.",
        "A similar case: a shopping list and a basket.\n"
        "```python\n"
        "def compare(wanted, basket):\n"
        "    return {\n"
        "        \"missing\": [thing for thing in wanted if thing not in basket],\n"
        "        \"unexpected\": [thing for thing in basket if thing not in wanted],\n"
        "        \"amount\": [t for t in wanted if t in basket and wanted[t] != basket[t]],\n"
        "    }\n\n"
        "compare({\"eggs\": 6, \"milk\": 1}, {\"milk\": 2, \"tea\": 1})\n"
        "# {'missing': ['eggs'], 'unexpected': ['tea'], 'amount': ['milk']}\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        a, b = rng.randint(2, 5), rng.randint(6, 9)
        first, second = rng.sample(("body", "trunk", "stem", "neck", "zoom"), 2)
        net = [
            [f"{first}.0.weight", [a, b], "parameter"],
            [f"{first}.0.bias", [a], "parameter"],
            ["norm.weight", [a], "parameter"],
            ["norm.mean", [a], "buffer"],
            ["norm.mask", [b], "passing buffer"],
            ["head.weight", [b, a], "parameter"],
        ]
        file = [[key, shape] for key, shape, kind in net if kind != "passing buffer"]

        def wrapped(prefix: str, entries: Entries) -> list[Any]:
            return [[prefix + key, *rest] for key, *rest in entries]

        def renamed(entries: Entries, new: str) -> list[Any]:
            return [[key.replace(first, new), *rest] for key, *rest in entries]

        def sized(entries: Entries, key: str, shape: list[int]) -> list[Any]:
            return [[k, shape if k == key else old] for k, old in entries]

        last = file[-1][0]
        front, back = rng.sample(("module.", "_orig_mod."), 2)
        drawn: list[tuple[str, str, Entries, Entries]] = [
            ("a file that fits", "", net, file),
            ("a file of a wrapped model", "", net, wrapped("module.", file)),
            ("another number of classes", "", net, sized(file, last, [b + 1, a])),
            ("a layer that the file lacks, and one too many", "", net,
             [*file[:-1], ["tail.weight", [a, b]]]),
            ("a wrapped model, a bare file", "a prefix on the model's side",
             wrapped("module.", net), file),
            ("wrapped twice", "several prefixes", net, wrapped(front + back, file)),
            ("a compiled model", "the other prefix", net, wrapped("_orig_mod.", file)),
            ("a renamed layer", "other names, same shapes", net, renamed(file, second)),
            ("a renamed layer of another width", "other names, other shapes", net,
             renamed(sized(file, f"{first}.0.bias", [a + 1]), second)),
            ("a prefix, and another size", "a prefix that is not all", net,
             wrapped("module.", sized(file, last, [b + 2, a]))),
            ("a prefix, and a missing layer", "a prefix and a missing key", net,
             wrapped("module.", file[:-1])),
            ("the order of another version", "a file in another order", net, file[::-1]),
            ("a buffer is missing", "a missing buffer", net,
             [entry for entry in file if entry[0] != "norm.mean"]),
            ("one size and one name", "sizes and names at once", net,
             [*sized(file, "norm.weight", [b])[:-1], ["tail.weight", [b, a]]]),
            ("a wrapped model of another size", "a prefix on the model's side that is not all",
             wrapped("module.", net), sized(file, last, [b + 3, a])),
        ]
        return [
            Case(title, separates or title, {"model": list(model), "file": list(found)},
                 bool(separates))
            for title, separates, model, found in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        wanted = differences(case.data["model"], case.data["file"])
        if not (facts["model_kept"] and facts["file_kept"]):
            return MODEL_CHANGED.found("values or keys have changed", "both as they were")
        seen = _parts(facts["said"])
        if seen is None:
            return WRONG_FORM.found(brief(facts["said"]), str(wanted))
        for part in ("missing", "unexpected", "size"):
            if seen[part] != wanted[part]:
                kind = _name_lists(seen, wanted, case.data["model"])
                return kind.found(f"{part}: {seen[part]}", str(wanted[part]))
        if seen["advice"] != wanted["advice"]:
            kind = _name_advice(seen["advice"], wanted["advice"], case.data["file"])
            return kind.found(f"advice: {seen['advice']}", wanted["advice"])
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if "Error(s) in loading state_dict" in raised.text:
            return NOT_CAUGHT.found("RuntimeError: Error(s) in loading state_dict …", "a dict")
        return None


def differences(model: Entries, file: Entries) -> dict[str, Any]:
    """What `load_state_dict` would complain about, and which row of the table holds."""
    wanted = {key: tuple(shape) for key, shape, kind in model if kind != "passing buffer"}
    found = {key: tuple(shape) for key, shape in file}
    missing = [key for key in wanted if key not in found]
    unexpected = [key for key in found if key not in wanted]
    size = [key for key in wanted if key in found and wanted[key] != found[key]]
    if not (missing or unexpected or size):
        advice = LOAD
    elif _bare(found) == wanted:
        advice = CLEAN
    elif _bare(wanted) == found:
        advice = INNER
    elif not size and [wanted[key] for key in missing] == [found[key] for key in unexpected]:
        advice = RENAME
    else:
        advice = OTHER
    return {"missing": missing, "unexpected": unexpected, "size": size, "advice": advice}


def _bare(shapes: Mapping[str, tuple[int, ...]]) -> Mapping[str, tuple[int, ...]]:
    while shapes and all(key.startswith(("module.", "_orig_mod.")) for key in shapes):
        shapes = {key.partition(".")[2]: shape for key, shape in shapes.items()}
    return shapes


def _parts(said: Mapping[str, Any]) -> dict[str, Any] | None:
    """What was said, or None if it has another form."""
    parts = as_dict(said)
    if parts is None or set(parts) != {"missing", "unexpected", "size", "advice"}:
        return None
    lists = {key: texts_of(parts[key]) for key in ("missing", "unexpected", "size")}
    advice = text_of(parts["advice"])
    if advice is None or None in lists.values():
        return None
    return {**lists, "advice": advice}


def _name_lists(
    seen: Mapping[str, Any], wanted: Mapping[str, Any], model: Entries
) -> FindingKind:
    lists = ("missing", "unexpected", "size")
    swapped = seen["missing"] == wanted["unexpected"] != wanted["missing"]
    if swapped and seen["unexpected"] == wanted["missing"]:
        return SWAPPED
    if all(sorted(seen[part]) == sorted(wanted[part]) for part in lists):
        return ORDER_LOST
    kinds = {key: kind for key, _, kind in model}
    if any(kinds.get(key) == "passing buffer" for key in seen["missing"]):
        return PASSING_COUNTED
    buffers = {key for key, kind in kinds.items() if kind == "buffer"}
    left_out = set(wanted["missing"]) - set(seen["missing"])
    if buffers & set(seen["unexpected"]) or set() < left_out <= buffers:
        return BUFFERS_FORGOTTEN
    if wanted["size"] and not seen["size"]:
        taken = set(wanted["size"]) & {*seen["missing"], *seen["unexpected"]}
        return SIZE_AS_MISSING if taken else SIZE_IGNORED
    return LISTS_WRONG


def _name_advice(seen: str, wanted: str, file: Entries) -> FindingKind:
    if "strict" in seen:
        return STRICT_ADVISED
    if {seen, wanted} == {CLEAN, INNER}:
        return WRONG_SIDE
    if wanted in (CLEAN, INNER):
        return PREFIX_MISSED
    if seen in (CLEAN, INNER) and wanted != LOAD:
        return CLEANED_TOO_SOON
    return ADVICE_WRONG
