"""Judge `modules.module_devices`.

The oracle reads the devices off the list of entries that the module was made of.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.modules.material import (
    NO_DEVICE,
    asked_for_device,
    entry,
    linear,
    registered,
    show_entries,
    some_parts,
    two_gpus,
)

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the result is not a set of texts",
    explanation="A set holds each device once, however many tensors are there, and has no order. "
    "Its items are texts: a `torch.device` is a different thing from its name.",
    next_step="Collect `str(tensor.device)` in a set and return it.",
)
ONE_ASKED = FindingKind(
    name="one-parameter-asked",
    title="one parameter does not speak for the module",
    explanation="`next(module.parameters())` is the first parameter of many. A module can be "
    "spread over several devices, and then its parts disagree.",
    next_step="Go through all parameters, and through all buffers.",
)
BUFFERS_MISSED = FindingKind(
    name="buffers-missed",
    title="the buffers were not asked",
    explanation="Buffers are tensors of the module too, and they are not among its parameters.",
    next_step="Add what `module.buffers()` gives.",
)
PARAMETERS_MISSED = FindingKind(
    name="parameters-missed",
    title="the parameters were not asked",
    explanation="Parameters and buffers are two collections, and neither contains the other.",
    next_step="Add what `module.parameters()` gives.",
)
TEMPORARY_MISSED = FindingKind(
    name="checkpoint-asked",
    title="a buffer that is not saved was missed",
    explanation="`state_dict()` leaves out buffers that were registered with `persistent=False`. "
    "They move with the module all the same.",
    next_step="Ask `parameters()` and `buffers()` instead of `state_dict()`.",
)
SUBMODULES_MISSED = FindingKind(
    name="submodules-missed",
    title="only the outermost module was asked",
    explanation="Most modules hold nothing themselves: their tensors belong to submodules, to any "
    "depth.",
    next_step="Let `parameters()` and `buffers()` go into the submodules, as they do by default.",
)
UNREGISTERED = FindingKind(
    name="unregistered-counted",
    title="a tensor was counted that the module does not know",
    explanation="A plain attribute or a Python list is neither a parameter nor a buffer, and the "
    "question was about those.",
    next_step="Ask the module for its parameters and buffers instead of looking into `__dict__`.",
)
NUMBER_LOST = FindingKind(
    name="number-lost",
    title="the number of the GPU was lost",
    explanation="`device.type` is `cuda` for every GPU. Two GPUs are two devices.",
    next_step="Use the whole device.",
)
EMPTY = FindingKind(
    name="empty-module",
    title="a module need not hold any tensor",
    explanation="Without a parameter, `next(module.parameters())` has nothing to give and raises "
    "`StopIteration`. Such a module is on no device at all.",
    next_step="Return an empty set, `set()`, for a module that holds no tensor.",
)
MOVED = FindingKind(
    name="module-changed",
    title="the module is not what it was before",
    explanation="`to` works in place on a module, so a question that calls it changes the answer.",
    next_step="Only read the devices.",
)
OTHER_SET = FindingKind(
    name="other-devices",
    title="the set holds other devices",
    explanation="Each device on which a parameter or a buffer lives is in it, and no other.",
    next_step="Print name and device of every parameter and every buffer, and compare.",
)


class ModuleDevices(Judge):
    """Compares the set with the devices of what is registered."""

    name = "modules.module_devices"
    findings = (
        NO_DEVICE,
        WRONG_FORM,
        ONE_ASKED,
        BUFFERS_MISSED,
        PARAMETERS_MISSED,
        TEMPORARY_MISSED,
        SUBMODULES_MISSED,
        UNREGISTERED,
        NUMBER_LOST,
        EMPTY,
        MOVED,
        OTHER_SET,
    )
    hints = (
        "A module has no `.device`. Which two methods give you all its tensors, those of its "
        "submodules included?",
        "`module.parameters()` and `module.buffers()` can be gone through with `for`. A set "
        "comprehension, `{… for x in …}`, keeps each result once.",
        "`itertools.chain(a, b)` gives what `a` gives and then what `b` gives. For a module "
        "without tensors both give nothing, and a comprehension over nothing is an empty set.",
        "A similar case: all units that occur in two lists of measurements.\n"
        "```python\n"
        "from itertools import chain\n\n"
        "def units(lengths, weights):\n"
        "    return {unit for number, unit in chain(lengths, weights)}\n\n"
        "units([(2, \"m\"), (3, \"m\")], [(1, \"kg\")])   # {'m', 'kg'}\n"
        "units([], [])                                # set()\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        one, two, three = some_parts(rng, 3)
        drawn = [
            ("a module on one GPU", "",
             [entry("weight", "parameter", gpu), entry("bias", "parameter", gpu)]),
            ("two layers on two devices", "", [*linear(one, "cpu"), *linear(two, gpu)]),
            ("a buffer that was left behind", "",
             [*linear(one, gpu), entry(f"{one}.mean", "buffer", "cpu")]),
            ("a module that holds nothing", "", []),
            ("buffers only", "a module without parameters",
             [entry(f"{one}.mean", "buffer", other)]),
            ("a buffer outside the checkpoint", "a buffer that is not saved",
             [*linear(one, gpu), entry(f"{one}.mean", "buffer", "cpu"),
              entry(f"{two}.mask", "temporary", other)]),
            ("a layer deep inside", "submodules of submodules",
             [*linear(f"{one}.{two}.{three}", gpu), *linear(three, other)]),
            ("a plain attribute elsewhere", "a tensor that is not registered",
             [*linear(one, gpu), entry(f"{one}.table", "attribute", other)]),
            ("layers in a Python list", "layers that are not registered",
             [*linear(two, other), entry(f"{one}.layers", "listed", gpu)]),
            ("three devices", "three devices",
             [*linear(one, gpu), entry(f"{one}.mean", "buffer", "cpu"), *linear(two, other)]),
            ("tensors of the module itself", "a module without submodules",
             [entry("scale", "parameter", other), entry("mean", "buffer", gpu)]),
            ("everything on the CPU", "a module that was never moved",
             [*linear(one, "cpu"), entry(f"{two}.mean", "buffer", "cpu")]),
        ]
        return [
            Case(title, separates or title, {"entries": entries}, bool(separates))
            for title, separates, entries in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        entries, said = case.data["entries"], facts["said"]
        wanted = _devices(registered(entries))
        expected = f"{_write(wanted)} for {show_entries(entries)}"
        if not facts["kept"]:
            return MOVED.found("tensors on other devices than before", "the module as it was")
        if said["type"] != "set" or any(item["type"] != "str" for item in said["items"]):
            return WRONG_FORM.found(_show(said), expected)
        seen = {item["value"] for item in said["items"]}
        if seen == wanted:
            return None
        return _name(seen, wanted, entries).found(_write(seen), expected)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        expected = _write(_devices(registered(case.data["entries"])))
        if asked_for_device(raised):
            return NO_DEVICE.found(raised.text, expected)
        if raised.type == "StopIteration":
            kind = BUFFERS_MISSED if case.data["entries"] else EMPTY
            return kind.found("StopIteration", expected)
        return None


def _devices(entries: Sequence[Mapping[str, str]]) -> set[str]:
    return {e["device"] for e in entries}


def _name(
    seen: set[str], wanted: set[str], entries: Sequence[Mapping[str, str]]
) -> FindingKind:
    """The misconception that gives exactly `seen`, the most frequent ones first."""
    known = registered(entries)
    parameters = [e for e in known if e["kind"] == "parameter"]
    saved = [e for e in known if e["kind"] != "temporary"]
    buffers = [e for e in known if e["kind"] != "parameter"]
    outermost = [e for e in known if "." not in e["name"]]
    if any(device not in wanted for device in seen):
        if seen == {device.partition(":")[0] for device in wanted}:
            return NUMBER_LOST
        return UNREGISTERED if seen <= _devices(entries) else OTHER_SET
    if seen == _devices(outermost):
        return SUBMODULES_MISSED
    if seen == _devices(parameters):
        return BUFFERS_MISSED
    if seen == _devices(saved):
        return TEMPORARY_MISSED
    if seen == _devices(parameters[:1]):
        return ONE_ASKED
    if seen == _devices(buffers):
        return PARAMETERS_MISSED
    return OTHER_SET


def _write(devices: set[str]) -> str:
    names = ", ".join(f"'{device}'" for device in sorted(devices))
    return f"{{{names}}}" if devices else "set()"


def _show(said: Mapping[str, Any]) -> str:
    if said["type"] != "set":
        return brief(said)
    return "{" + ", ".join(brief(item) for item in said["items"]) + "}"
