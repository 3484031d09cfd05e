"""Judge `tensors.move_batch`.

The oracle is the described batch with another device written into each of its tensors.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief, placement
from course_utils.judging.tensors.material import (
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

NOT_KEPT = FindingKind(
    name="result-not-kept",
    title="the batch stayed where it was",
    explanation="`Tensor.to` returns a tensor on the other device; it does not move the one it "
    "is called on, and here nothing kept what it returned.",
    next_step="Build a new container out of what `to` returns.",
)
NOTHING_RETURNED = FindingKind(
    name="nothing-returned",
    title="the function returned nothing",
    explanation="A function without `return` gives `None`; the moved batch is lost when it ends.",
    next_step="Return the batch that you have built.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="the caller's own batch was changed",
    explanation="Whoever passed the batch in still holds it, and tuples cannot be changed at all. "
    "Like `to` itself, the function should leave its input alone.",
    next_step="Collect the moved items in a new container instead of writing into the old one.",
)
CONTAINER_CHANGED = FindingKind(
    name="container-changed",
    title="a container came back as another type",
    explanation="Code that receives the batch relies on its form: a tuple stays a tuple, a list "
    "a list, a dict a dict, with as many items as before.",
    next_step="Build each container with its own type.",
)
NAMEDTUPLE_LOST = FindingKind(
    name="namedtuple-lost",
    title="a namedtuple did not come through",
    explanation="A namedtuple is a tuple, but it is made from one argument per field, not from "
    "one iterable, and its field names belong to the batch.",
    next_step="Look at how a namedtuple is made, and treat it before ordinary tuples.",
)
PLAIN_TOUCHED = FindingKind(
    name="plain-value-touched",
    title="a plain value was treated like a tensor",
    explanation="A batch often carries names, numbers or `None` beside its tensors. They live on "
    "no device and have no `to`.",
    next_step="Return whatever is neither a tensor nor a container just as it is.",
)
LEFT_BEHIND = FindingKind(
    name="tensors-left-behind",
    title="some tensors moved and others stayed",
    explanation="A container may hold containers, to any depth, and each tensor counts.",
    next_step="Let the function call itself on each item of a container.",
)
WRONG_DEVICE = FindingKind(
    name="wrong-device",
    title="a tensor moved, but to another device",
    explanation="The target is the parameter `device`. `.cuda()` and `\"cuda\"` mean the current "
    "GPU instead, whatever was asked for.",
    next_step="Use `device` itself wherever the function names a target.",
)
COPIED = FindingKind(
    name="copied-needlessly",
    title="a tensor that was there already was copied",
    explanation="A copy costs time and memory. `to` returns the tensor itself when nothing has "
    "to change, and so should this function.",
    next_step="Find out what makes a copy even where the device is right already.",
)
OTHER_RESULT = FindingKind(
    name="other-result",
    title="the batch came back with other content",
    explanation="Moving changes the device and nothing else: values, dtype and keys stay.",
    next_step="Compare one tensor before and after, with its dtype.",
)


class MoveBatch(Judge):
    """Compares the moved batch place by place, outermost first."""

    name = "tensors.move_batch"
    findings = (
        NOT_KEPT,
        NOTHING_RETURNED,
        INPUT_CHANGED,
        CONTAINER_CHANGED,
        NAMEDTUPLE_LOST,
        PLAIN_TOUCHED,
        LEFT_BEHIND,
        WRONG_DEVICE,
        COPIED,
        OTHER_RESULT,
    )
    hints = (
        "What does `t.to(device)` do to `t`? Try it in a cell of its own: print `t.device` "
        "before and after, then the device of what `to` returned.",
        "Four things can come in: a tensor, a container with keys, a container without, and "
        "anything else. Only the first has a device. For a container, ask the same question "
        "about each of its items.",
        "A namedtuple is made with one argument per field. If `Point` has two fields, "
        "`Point([1, 2])` fails and `Point(*[1, 2])` works; a plain tuple is the other way round. "
        "`hasattr(value, \"_fields\")` tells them apart.",
        "A similar case: double each number in a nest of lists and dicts, leave the rest alone.\n"
        "```python\n"
        "def doubled(value):\n"
        "    if isinstance(value, (int, float)):\n"
        "        return value * 2\n"
        "    if isinstance(value, dict):\n"
        "        return {key: doubled(item) for key, item in value.items()}\n"
        "    if isinstance(value, list):\n"
        "        return [doubled(item) for item in value]\n"
        "    return value\n\n"
        "doubled({\"a\": [1, 2], \"name\": \"x\"})   # {'a': [2, 4], 'name': 'x'}\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        def some(device: str = "cpu") -> Described:
            return some_tensor(rng, device)

        gpu, other = two_gpus(rng)
        name, count = rng.choice(("train", "valid", "test")), rng.randint(2, 99)
        drawn = [
            (
                "a tuple of two tensors",
                "",
                many("tuple", some(), some()),
                gpu,
            ),
            (
                "a list with one tensor that is there already",
                "",
                many("list", some(), some(gpu)),
                gpu,
            ),
            (
                "a dict with plain values beside its tensors",
                "",
                keyed(inputs=some(), name=plain(name), epoch=plain(count)),
                other,
            ),
            (
                "a tuple inside a dict",
                "",
                keyed(pair=many("tuple", some(), some()), label=some()),
                gpu,
            ),
            (
                "a namedtuple",
                "a tuple whose places have names",
                named(rng.choice(("Batch", "Sample")), inputs=some(), targets=some()),
                one_gpu(rng),
            ),
            (
                "a namedtuple of containers, in a list",
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
                "values that live on no device",
                many(
                    "tuple",
                    plain(None),
                    plain(name),
                    plain(count),
                    plain(count / 4),
                    many("list", plain(bool(count % 2)), some(), plain("")),
                ),
                one_gpu(rng),
            ),
            (
                "from a GPU to the CPU",
                "the way back to the CPU",
                many("list", some(gpu), keyed(target=some(gpu))),
                "cpu",
            ),
            (
                "from one GPU to another",
                "two GPUs",
                many("tuple", some(gpu), some(other), some()),
                other,
            ),
            (
                "a single tensor",
                "no container at all",
                some_tensor(rng, "cpu", (2, 3), "int64"),
                one_gpu(rng),
            ),
            (
                "empty containers",
                "containers with nothing in them",
                keyed(none=many("tuple"), also_none=many("list"), inputs=some(other)),
                gpu,
            ),
            (
                "everything is there already",
                "a batch that need not move",
                keyed(inputs=some(gpu), pair=many("tuple", some(gpu), plain(count))),
                gpu,
            ),
        ]
        return [
            Case(title, separates or title, {"batch": batch, "device": device}, bool(separates))
            for title, separates, batch, device in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        batch, device, seen = case.data["batch"], case.data["device"], facts["result"]
        wanted = _placed(batch, device)
        if facts["after"] != batch:
            return INPUT_CHANGED.found(
                f"{placement(facts['after'])} in the caller's hands", placement(batch)
            )
        if seen == wanted:
            return _judge_identity(batch, device, facts["same"])
        if is_nothing(seen):
            return NOTHING_RETURNED.found("None", placement(wanted))
        if seen == batch:
            return NOT_KEPT.found(placement(seen), placement(wanted))
        old, new, right = next(_differences(batch, seen, wanted))
        return _name(old, new, right).found(*_excerpts(seen, wanted))

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        wanted = placement(_placed(case.data["batch"], case.data["device"]))
        seen = f"{raised.type}: {raised.text}"
        if raised.type == "AttributeError" and raised.text.endswith("has no attribute 'to'"):
            return PLAIN_TOUCHED.found(seen, wanted)
        if raised.type == "TypeError" and "__new__() missing" in raised.text:
            return NAMEDTUPLE_LOST.found(seen, wanted)
        if raised.type == "TypeError" and "does not support item assignment" in raised.text:
            return INPUT_CHANGED.found(seen, wanted)
        return None


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
    kept = [*same, *[False] * len(there)]
    copied = sum(is_there and not is_same for is_there, is_same in zip(there, kept, strict=False))
    if not copied:
        return None
    return COPIED.found(f"{copied} copied", "none copied")


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


def _name(
    old: Mapping[str, Any], new: Mapping[str, Any], right: Mapping[str, Any]
) -> FindingKind:
    if is_tensor(right) and is_tensor(new) and new["device"] != right["device"]:
        return LEFT_BEHIND if new["device"] == old["device"] else WRONG_DEVICE
    if right["type"] == "namedtuple":
        return NAMEDTUPLE_LOST
    if "items" in right:
        return OTHER_RESULT if new["type"] == right["type"] == "dict" else CONTAINER_CHANGED
    return OTHER_RESULT if is_tensor(right) else PLAIN_TOUCHED


def _excerpts(seen: Mapping[str, Any], wanted: Mapping[str, Any]) -> tuple[str, str]:
    """Placements if they differ, else whole values."""
    pair = placement(seen), placement(wanted)
    return pair if pair[0] != pair[1] else (brief(seen), brief(wanted))
