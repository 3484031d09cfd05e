"""Judge `move_batch`: compares the moved batch place by place, outermost first."""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, Judge, Raises
from course_utils.checking.facts import brief, placement

from ..judging import (
    Described,
    is_nothing,
    is_tensor,
    keyed,
    many,
    named,
    one_gpu,
    plain,
    some_tensor,
    two_gpus,
)


class MoveBatch(Judge):
    raises = (
        Raises("plain-value-touched", "AttributeError", "has no attribute 'to'"),
        Raises("namedtuple-lost", "TypeError", "__new__() missing"),
        Raises("input-changed", "TypeError", "does not support item assignment"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def some(device: str = "cpu") -> Described:
            return some_tensor(rng, device)

        gpu, other = two_gpus(rng)
        name, count = rng.choice(("train", "valid", "test")), rng.randint(2, 99)
        values = (plain(None), plain(name), plain(count), plain(count / 4))
        rows = [
            ("a tuple of two tensors", many("tuple", some(), some()), gpu),
            ("the task's example", many("tuple", some(), keyed(name=plain(name))), gpu),
            ("a list with one tensor that is there already", many("list", some(), some(gpu)), gpu),
            (
                "a dict with plain values beside its tensors",
                keyed(inputs=some(), name=plain(name), epoch=plain(count)),
                other,
            ),
            ("a tuple inside a dict", keyed(pair=many("tuple", some(), some()), label=some()), gpu),
            ("a namedtuple", named("Batch", inputs=some(), targets=some()), one_gpu(rng)),
            (
                "containers inside containers inside containers",
                many(
                    "list",
                    named("Views", left=many("list", some()), right=keyed(crop=some())),
                    many("tuple", many("tuple", some(), many("list", some()))),
                ),
                one_gpu(rng),
            ),
            (
                "plain values of every kind",
                many("tuple", *values, many("list", plain(bool(count % 2)), some(), plain(""))),
                gpu,
            ),
            ("from a GPU to the CPU", many("list", some(gpu), keyed(target=some(gpu))), "cpu"),
            ("from one GPU to another", many("tuple", some(gpu), some(other), some()), other),
            ("a single tensor", some_tensor(rng, "cpu", (2, 3), "int64"), one_gpu(rng)),
            (
                "empty containers",
                keyed(none=many("tuple"), also_none=many("list"), inputs=some(other)),
                gpu,
            ),
            (
                "everything is there already",
                keyed(inputs=some(gpu), pair=many("tuple", some(gpu), plain(count))),
                gpu,
            ),
        ]
        return [Case(title, {"batch": batch, "device": device}) for title, batch, device in rows]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        batch, device, seen = case.data["batch"], case.data["device"], facts["result"]
        wanted = _placed(batch, device)
        if facts["after"] != batch:
            return Finding(
                "input-changed",
                f"{placement(facts['after'])} in the caller's hands",
                placement(batch),
            )
        if seen == wanted:
            return _judge_identity(batch, device, facts["same"])
        if is_nothing(seen):
            return Finding("nothing-returned", "None", placement(wanted))
        if seen == batch:
            return Finding("result-not-kept", placement(seen), placement(wanted))
        old, new, right = next(_differences(batch, seen, wanted))
        return Finding(_name(old, new, right), *_excerpts(seen, wanted))


def _placed(described: Mapping[str, Any], device: str) -> Described:
    """The same object with each tensor on `device`."""
    if is_tensor(described):
        return {**described, "device": device}
    if "items" in described:
        return {**described, "items": [_placed(item, device) for item in described["items"]]}
    return dict(described)


def _leaves(described: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    if is_tensor(described):
        yield described
    for item in described.get("items", ()):
        yield from _leaves(item)


def _judge_identity(batch: Described, device: str, same: Sequence[bool]) -> Finding | None:
    there = [leaf["device"] == device for leaf in _leaves(batch)]
    copied = sum(is_there and not kept for is_there, kept in zip(there, same, strict=True))
    return Finding("copied-needlessly", f"{copied} copied", "none copied") if copied else None


def _differences(
    old: Mapping[str, Any], new: Mapping[str, Any], right: Mapping[str, Any]
) -> Iterator[tuple[Mapping[str, Any], ...]]:
    """The places where `new` is not `right`, outermost first, with what was there before."""
    form = ("type", "class", "fields", "keys")
    alike = all(new.get(key) == right.get(key) for key in form)
    if "items" in right and alike and len(new["items"]) == len(right["items"]):
        for triple in zip(old["items"], new["items"], right["items"], strict=True):
            yield from _differences(*triple)
    elif new != right:
        yield old, new, right


def _name(old: Mapping[str, Any], new: Mapping[str, Any], right: Mapping[str, Any]) -> str:
    if is_tensor(right) and is_tensor(new) and new["device"] != right["device"]:
        return "tensors-left-behind" if new["device"] == old["device"] else "wrong-device"
    if right["type"] == "namedtuple":
        return "namedtuple-lost"
    if "items" in right:
        both_dicts = new["type"] == right["type"] == "dict"
        return "other-result" if both_dicts else "container-changed"
    return "other-result" if is_tensor(right) else "plain-value-touched"


def _excerpts(seen: Mapping[str, Any], wanted: Mapping[str, Any]) -> tuple[str, str]:
    """Placements if they differ, else whole values."""
    pair = placement(seen), placement(wanted)
    return pair if pair[0] != pair[1] else (brief(seen), brief(wanted))


judge = MoveBatch()
