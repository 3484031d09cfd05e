"""Judge `saving.clean_keys`.

The oracle works on lists of names: a prefix counts as a wrapper's if every key has it. Wrong
results are named by making the known mistakes on the same list.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="not-a-dict",
    title="the result is no dict",
    explanation="`load_state_dict` wants a dict of keys and tensors. "
    "`consume_prefix_in_state_dict_if_present` works in place and returns `None`.",
    next_step="Return the dict with the new keys.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="the state dict that was passed in has changed",
    explanation="Whoever called still has it, and expects its keys and its `_metadata` as they "
    "were. A shallow copy of a state dict shares its `_metadata` with it.",
    next_step="Build a new dict, and copy the `_metadata` before you change it.",
)
LETTERS_STRIPPED = FindingKind(
    name="letters-stripped",
    title="more than the prefix is gone from the front of a key",
    explanation="`lstrip` takes a set of letters, not a word: every m, o, d, u, l, e and dot "
    "goes, until another letter comes.",
    next_step="Cut by length, or with `removeprefix`.",
)
CUT_BLINDLY = FindingKind(
    name="cut-blindly",
    title="letters were cut from keys that have no such prefix",
    explanation="`key[7:]` cuts seven letters off whatever there is. Other prefixes have another "
    "length, and many keys have none.",
    next_step="Ask whether the prefix is there, and cut its own length.",
)
INNER_REMOVED = FindingKind(
    name="inner-prefix-removed",
    title="a part inside of a key was removed",
    explanation="`replace` finds the text anywhere. Inside a key it belongs to the model's own "
    "parts: one of them may be wrapped by the model itself, or be called `submodule`.",
    next_step="Look at the front of the key only.",
)
ONE_LEVEL = FindingKind(
    name="one-level-only",
    title="a prefix is left at the front of every key",
    explanation="A wrapped model may be wrapped again, in any order: each wrapper adds one.",
    next_step="Look again, at all prefixes, until every key is bare.",
)
REAL_CHILD = FindingKind(
    name="real-child-damaged",
    title="a part of the model that is called like a prefix lost its name",
    explanation="A wrapper stands before *every* key. If only some keys begin with it, it is a "
    "real part of the model.",
    next_step="Take a prefix away only if all keys have it.",
)
PREFIXES_IGNORED = FindingKind(
    name="prefixes-ignored",
    title="other prefixes were asked for",
    explanation="`prefixes` says which ones to take away, and its own are only the default.",
    next_step="Use the parameter instead of fixed texts.",
)
KEYS_WRONG = FindingKind(
    name="keys-wrong",
    title="the keys are not those of the bare model",
    explanation="Each key without the wrappers' prefixes, and nothing else changed.",
    next_step="Print the keys before and after, side by side.",
)
ORDER_CHANGED = FindingKind(
    name="order-changed",
    title="the keys are in another order",
    explanation="A state dict lists the parts in the order in which the model has them, and "
    "people compare such lists by eye.",
    next_step="Go through the items as they come.",
)
VALUES_COPIED = FindingKind(
    name="values-copied",
    title="the tensors are not the ones that were passed in",
    explanation="Only names change. A copy of every tensor takes the memory of a second model.",
    next_step="Put the tensors themselves under the new keys.",
)
METADATA_LOST = FindingKind(
    name="metadata-lost",
    title="`_metadata` is gone",
    explanation="A state dict carries the version of each part of the model as an attribute. A new "
    "dict has no such attribute, and an old rule may be applied when it is loaded.",
    next_step="Give the new dict a `_metadata` too, where the old one has it.",
)
METADATA_STALE = FindingKind(
    name="metadata-not-cleaned",
    title="the names in `_metadata` do not fit the new keys",
    explanation="They carry the prefix as well, without its last dot: `module.norm` becomes "
    "`norm`, `module` becomes the empty name, and the wrapper's own entry goes.",
    next_step="Treat the names in `_metadata` as you treat the keys.",
)
NO_METADATA = FindingKind(
    name="metadata-taken-for-granted",
    title="not every state dict has `_metadata`",
    explanation="A plain dict with the same keys can be loaded as well.",
    next_step="Ask with `getattr(state_dict, \"_metadata\", None)`.",
)

DEFAULT = ("module.", "_orig_mod.")

Mistake = tuple[FindingKind, Callable[[str, Sequence[str]], str]]


def _lstrip(key: str, prefixes: Sequence[str]) -> str:
    return key.lstrip(prefixes[0])


def _lstrip_all(key: str, prefixes: Sequence[str]) -> str:
    for prefix in prefixes:
        key = key.lstrip(prefix)
    return key


def _replaced(key: str, prefixes: Sequence[str]) -> str:
    for prefix in prefixes:
        key = key.replace(prefix, "")
    return key


def _each_once(key: str, prefixes: Sequence[str]) -> str:
    for prefix in prefixes:
        key = key.removeprefix(prefix)
    return key


def _each_often(key: str, prefixes: Sequence[str]) -> str:
    while key != _each_once(key, prefixes):
        key = _each_once(key, prefixes)
    return key


class CleanKeys(Judge):
    """Compares keys, values and metadata with those of the bare model."""

    name = "saving.clean_keys"
    findings = (
        WRONG_FORM,
        INPUT_CHANGED,
        LETTERS_STRIPPED,
        CUT_BLINDLY,
        INNER_REMOVED,
        ONE_LEVEL,
        REAL_CHILD,
        PREFIXES_IGNORED,
        KEYS_WRONG,
        ORDER_CHANGED,
        VALUES_COPIED,
        METADATA_LOST,
        METADATA_STALE,
        NO_METADATA,
    )
    hints = (
        "How can you tell a wrapper's prefix from a part of the model that has the same name? "
        "Write down the keys of both, and look at *all* of them.",
        "`all(key.startswith(prefix) for key in keys)` is the question. It has to be asked again "
        "after each prefix that was taken away.",
        "`_metadata` is an attribute of the OrderedDict: a dict of names and versions. Its names "
        "are those of modules: the prefix `module.` appears as `module` and as `module.norm`.",
        "A similar case: folders that all names of a list begin with.\n"
        "```python\n"
        "def inside(paths, folders=(\"data/\", \"old/\")):\n"
        "    for folder in folders:\n"
        "        if all(path.startswith(folder) for path in paths):\n"
        "            return inside([path.removeprefix(folder) for path in paths], folders)\n"
        "    return paths\n\n"
        "inside([\"old/data/a\", \"old/data/data/b\"])    # ['a', 'data/b']\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def net(*parts: str) -> list[str]:
            return [f"{part}.{kind}" for part in parts for kind in ("weight", "bias")]

        first = rng.choice(("features", "stem", "trunk"))
        number = rng.randint(1, 9)
        letters = rng.sample(("encoder", "model", "decoder", "loud", "dense", "deep"), 2)
        both = rng.sample(DEFAULT, 2)
        inner = f"{first}.module.{number}"
        odd = rng.sample(("net.", "student.", "_wrapped."), 2)
        drawn: list[tuple[str, str, list[str], str, Sequence[str], bool]] = [
            ("a model in DataParallel", "", net(first, f"blocks.{number}"), "module.", DEFAULT,
             True),
            ("a model without a wrapper", "", net(f"blocks.{number}", first), "", DEFAULT, True),
            ("a compiled model", "", net(first, "head"), "_orig_mod.", DEFAULT, True),
            ("layers called encoder and the like", "names that begin with letters of the prefix",
             net(*letters), "module.", DEFAULT, True),
            ("wrapped twice", "two wrappers of one kind",
             net(first, "head"), "module.module.", DEFAULT, True),
            ("two kinds of wrappers", "two wrappers of different kinds",
             net("head", first), "".join(both), DEFAULT, True),
            ("three wrappers", "three wrappers",
             net(first, "head"), "".join((*both, both[0])), DEFAULT, True),
            ("a part wrapped inside", "a prefix inside of keys",
             net(inner, "head"), rng.choice(DEFAULT), DEFAULT, True),
            ("a part called submodule", "a name that ends like a prefix",
             net(f"submodule.{number}", "head"), "module.", DEFAULT, True),
            ("a part called module", "a real part that is called like a wrapper",
             net("module", first), "", DEFAULT, True),
            ("a part called module, wrapped", "a wrapper around a real part of the same name",
             net("head", f"module.{number}"), "module.", DEFAULT, True),
            ("a plain dict", "a state dict without `_metadata`",
             net(first, f"blocks.{number}"), "module.", DEFAULT, False),
            ("other prefixes", "other prefixes than the default",
             net("module", "head"), "".join(odd), odd, True),
            ("prefixes that were not asked for", "a wrapper that is not in `prefixes`",
             [f"module.{key}" for key in net(first)], odd[0], odd, True),
        ]
        cases = []
        for title, separates, keys, front, prefixes, versions in drawn:
            names = {key[:end] for key in keys for end in range(len(key)) if key[end] == "."}
            inside = {name: rng.randint(2, 9) for name in ["", *sorted(names)]}
            parts = front.split(".")[:-1]
            outside = {".".join(parts[:depth]): 1 for depth in range(len(parts))}
            for name, version in inside.items():
                outside[(front + name).removesuffix(".")] = version
            data = {
                "keys": [front + key for key in keys],
                "versions": outside if versions else None,
                "prefixes": None if prefixes is DEFAULT else list(prefixes),
            }
            cases.append(Case(title, separates or title, data, bool(separates)))
        return cases

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        keys, versions = case.data["keys"], case.data["versions"]
        prefixes = case.data["prefixes"] or DEFAULT
        wanted, front = _bare(keys, prefixes)
        if not facts["kept"]:
            return INPUT_CHANGED.found("other keys or _metadata", "the input as it was")
        if not facts["dict"]:
            return WRONG_FORM.found(f"an object of type {facts['type']}", "a dict")
        seen = facts["keys"]
        if seen != wanted:
            return _name(seen, wanted, keys, prefixes).found(_some(seen), _some(wanted))
        if facts["values"] != list(range(len(keys))):
            return VALUES_COPIED.found("other tensors", "the tensors of the input, in order")
        return _judge_metadata(facts.get("metadata"), versions, front)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if "during iteration" in raised.text:
            return INPUT_CHANGED.found(raised.text, "the input as it was")
        if raised.type == "AttributeError" and "_metadata" in raised.text:
            return NO_METADATA.found(raised.text, "a dict with clean keys")
        return None


def _bare(keys: Sequence[str], prefixes: Sequence[str]) -> tuple[list[str], str]:
    """The keys without the wrappers' prefixes, and all that was taken from the front."""
    front = ""
    while True:
        found = [p for p in prefixes if all(key.startswith(front + p) for key in keys)]
        if not found:
            return [key[len(front) :] for key in keys], front
        front += found[0]


def _judge_metadata(
    found: Sequence[Sequence[Any]] | None, versions: Mapping[str, int] | None, front: str
) -> Finding | None:
    if versions is None:
        return None
    if found is None:
        return METADATA_LOST.found("no _metadata", "_metadata with clean names")
    wanted = {
        f"{name}."[len(front) :].removesuffix("."): version
        for name, version in versions.items()
        if f"{name}.".startswith(front) or not front
    }
    seen = {name: brief(entry) for name, entry in found}
    expected = {name: f"{{'version': {version}}}" for name, version in wanted.items()}
    if seen != expected:
        return METADATA_STALE.found(_list(seen), _list(expected))
    return None


def _name(
    seen: Sequence[str], wanted: Sequence[str], keys: Sequence[str], prefixes: Sequence[str]
) -> FindingKind:
    if sorted(seen) == sorted(wanted):
        return ORDER_CHANGED
    mistakes: list[Mistake] = [
        (LETTERS_STRIPPED, _lstrip),
        (LETTERS_STRIPPED, _lstrip_all),
        (CUT_BLINDLY, lambda key, _: key[7:]),
        (CUT_BLINDLY, lambda key, _: key.partition(".")[2]),
    ]
    if tuple(prefixes) != DEFAULT:
        mistakes += [
            (PREFIXES_IGNORED, lambda key, _, way=way: way(key, DEFAULT))
            for way in (_replaced, _each_once, _each_often)
        ]
        if list(seen) == list(keys) or list(seen) == _bare(keys, DEFAULT)[0]:
            return PREFIXES_IGNORED
    # What is left of a wrapper stands before every key.
    if len(seen) == len(wanted) and all(
        key != bare and key.endswith(f".{bare}")
        for key, bare in zip(seen, wanted, strict=True)
    ):
        return ONE_LEVEL
    for kind, mistake in [(REAL_CHILD, _each_once), (REAL_CHILD, _each_often), *mistakes]:
        if list(seen) == [mistake(key, prefixes) for key in keys]:
            return kind
    return INNER_REMOVED if list(seen) == [_replaced(k, prefixes) for k in keys] else KEYS_WRONG


def _list(entries: Mapping[str, str]) -> str:
    return ", ".join(f"{name!r}: {entry}" for name, entry in entries.items())


def _some(keys: Sequence[str]) -> str:
    return ", ".join(keys[:3]) + (", …" if len(keys) > 3 else "")
