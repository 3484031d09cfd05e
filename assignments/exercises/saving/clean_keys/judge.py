"""Judge `clean_keys`: a prefix is a wrapper's if every key has it.

The oracle and its rivals work on lists of names.
"""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding, Raise, Raises
from course_utils.checking.facts import brief, describe, same
from course_utils.checking.oracle import OracleJudge, Rival

DEFAULT = ("module.", "_orig_mod.")

Change = Callable[[str, Sequence[str]], str]


def front_of(keys: Sequence[str], prefixes: Sequence[str]) -> str:
    """All that wrappers have put before the keys."""
    front = ""
    while keys:
        found = [p for p in prefixes if all(key.startswith(front + p) for key in keys)]
        if not found:
            break
        front += found[0]
    return front


def clean_versions(versions: Mapping[str, int], front: str) -> dict[str, int]:
    """The versions of the bare model's parts: those of the wrappers are gone."""
    named = {f"{name}.": version for name, version in versions.items()}
    if not front:
        return dict(versions)
    return {name[len(front) : -1]: v for name, v in named.items() if name.startswith(front)}


def _bare(keys: Sequence[str], prefixes: Sequence[str]) -> list[str]:
    return [key[len(front_of(keys, prefixes)) :] for key in keys]


def _lstrip(key: str, prefixes: Sequence[str]) -> str:
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


def _one(key: str, prefixes: Sequence[str]) -> str:
    return next((key[len(p) :] for p in prefixes if key.startswith(p)), key)


def _each_often(key: str, prefixes: Sequence[str]) -> str:
    while key != _each_once(key, prefixes):
        key = _each_once(key, prefixes)
    return key


def _key_by_key(finding: str, change: Change) -> Rival:
    return Rival(
        finding, lambda keys, prefixes, **_: [change(key, prefixes or DEFAULT) for key in keys]
    )


def _by_default(finding: str, change: Callable[[Sequence[str]], list[str]]) -> Rival:
    """A model that has a say only where other prefixes than the default are asked for."""

    def applied(keys: Sequence[str], prefixes: Sequence[str] | None, **_: Any) -> list[str]:
        if prefixes is None:
            raise ValueError("the default prefixes are right here")
        return change(keys)

    return Rival(finding, applied)


class CleanKeys(OracleJudge):
    form, types, otherwise = "a dict of keys and tensors", ("list",), "other-keys"
    rivals = (
        Rival(
            "order-changed", lambda keys, prefixes, **_: sorted(_bare(keys, prefixes or DEFAULT))
        ),
        _by_default("prefixes-ignored", lambda keys: _bare(keys, DEFAULT)),
        _by_default("prefixes-ignored", lambda keys: [_each_often(k, DEFAULT) for k in keys]),
        _by_default("prefixes-ignored", lambda keys: [_each_once(k, DEFAULT) for k in keys]),
        _by_default("prefixes-ignored", lambda keys: [_replaced(k, DEFAULT) for k in keys]),
        _key_by_key("real-part-damaged", _each_often),
        _key_by_key("real-part-damaged", _each_once),
        _key_by_key("real-part-damaged", _one),
        _key_by_key("letters-stripped", lambda key, prefixes: key.lstrip(prefixes[0])),
        _key_by_key("letters-stripped", lambda key, _: _each_once(key.lstrip("module."), DEFAULT)),
        _key_by_key("letters-stripped", _lstrip),
        _key_by_key("cut-blindly", lambda key, _: key[7:]),
        _key_by_key("cut-blindly", lambda key, _: key.partition(".")[2]),
        _key_by_key("inner-prefix-removed", _replaced),
    )
    raises = (
        Raises("changed-while-looping", "RuntimeError", "during iteration"),
        Raises("metadata-taken-for-granted", "AttributeError", "'_metadata'"),
    )

    def oracle(self, **data: Any) -> list[str]:
        return _bare(data["keys"], data["prefixes"] or DEFAULT)

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        # A prefix that is left before every key says more than how others were cut.
        keys, wanted = [item.get("value") for item in seen["items"]], self.oracle(**data)
        left = [str(k).removesuffix(w) for k, w in zip(keys, wanted, strict=False)]
        front = front_of(data["keys"], data["prefixes"] or DEFAULT)
        all_alike = len(keys) == len(wanted) and len(set(left)) == 1
        if all_alike and left[0] and front.endswith(left[0]):
            # If other prefixes were asked for and none is gone, they were not looked at.
            return "prefixes-ignored" if data["prefixes"] and left[0] == front else "prefix-left"
        return super().explain(seen, data)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        kinds = ("IndexError", "RecursionError", "StopIteration")
        if not case.data["keys"] and raised.type in kinds:
            return Finding("nothing-to-clean", raised.type, "an empty dict")
        return super().on_raise(case, raised)

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, seen = case.data, facts["metadata"]
        nothing = facts["result"]["type"] == "NoneType"
        if not facts["is_dict"] and not facts["changed"] and not nothing:
            return Finding("other-form", clip(brief(facts["result"]), 100), self.form)
        finding = super().judge(case, facts)
        if finding is None and not facts["kept"]:
            finding = Finding("values-copied", "other tensors", "the input's own")
        if finding or data["versions"] is None:
            return finding
        front = front_of(data["keys"], data["prefixes"] or DEFAULT)
        versions = clean_versions(data["versions"], front)
        wanted = describe({name: {"version": v} for name, v in versions.items()})
        if seen["type"] == "NoneType":
            return Finding("metadata-lost", "no _metadata", "_metadata with clean names")
        if not same(seen, wanted):
            return Finding("metadata-not-cleaned", clip(brief(seen), 120), clip(brief(wanted), 120))
        return None

    def shown(self, described: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        return clip(brief(described), 120)

    def cases(self, rng: random.Random) -> Sequence[Case]:
        first = rng.choice(("features", "stem", "trunk"))
        number = str(rng.randint(1, 9))
        letters = rng.sample(("encoder", "model", "decoder", "loud", "dense", "deep"), 2)
        both, odd = rng.sample(DEFAULT, 2), rng.sample(("net.", "student.", "_wrapped."), 2)
        rows: list[tuple[str, str, Sequence[str], Sequence[str] | None]] = [
            ("the task's example", "module.", ["weight", "bias"], None),
            ("a model in DataParallel", "module.", _net(first, f"blocks.{number}"), None),
            ("a model without a wrapper", "", _net(f"blocks.{number}", first), None),
            ("a compiled model", "_orig_mod.", _net(first, "head"), None),
            ("names that begin with letters of the prefix", "module.", _net(*letters), None),
            ("two wrappers of one kind", "module.module.", _net(first, "head"), None),
            ("two wrappers of different kinds", "".join(both), _net("head", first), None),
            ("three wrappers", "".join((*both, both[0])), _net(first, "head"), None),
            (
                "a part wrapped inside the model",
                rng.choice(DEFAULT),
                _net(f"{first}.module.{number}", "head"),
                None,
            ),
            (
                "a part whose name ends like a prefix",
                "module.",
                _net(f"submodule.{number}", "head"),
                None,
            ),
            ("a real part called `module`", "", _net("module", first), None),
            (
                "a real part called `module`, in a wrapper",
                "module.",
                _net("head", f"module.{number}"),
                None,
            ),
            ("other prefixes than the default", "".join(odd), _net("module", "head"), odd),
            (
                "a wrapper that is not in `prefixes`",
                odd[0],
                [f"module.{key}" for key in _net(first)],
                odd,
            ),
        ]
        cases = [Case(title, _data(rng, *row)) for title, *row in rows]
        bare = _data(rng, "module.", _net(first, number), None)
        cases.insert(2, Case("a plain dict, without `_metadata`", {**bare, "versions": None}))
        empty = {"keys": [], "versions": {"": 1, "module": rng.randint(2, 9)}, "prefixes": None}
        cases.append(Case("an empty state dict", empty))
        return cases


def _net(*parts: str) -> list[str]:
    return [f"{part}.{kind}" for part in parts for kind in ("weight", "bias")]


def _data(
    rng: random.Random, front: str, keys: Sequence[str], prefixes: Sequence[str] | None
) -> dict[str, Any]:
    """A case's data: `keys` behind `front`, and a version for each part and each wrapper."""
    names = {key[:end] for key in keys for end in range(len(key)) if key[end] == "."}
    wrappers = front.split(".")[:-1]
    versions = {".".join(wrappers[:depth]): 1 for depth in range(len(wrappers))}
    for name in ["", *sorted(names)]:
        versions[(front + name).removesuffix(".")] = rng.randint(2, 9)
    return {"keys": [front + key for key in keys], "versions": versions, "prefixes": prefixes}


judge = CleanKeys()
