"""Judge `saving.save_checkpoint`.

The oracle knows what was written into the net and does one step of SGD by hand: with small whole
numbers and a rate of a half or a quarter, it is exact.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.saving.material import (
    GPUS,
    as_dict,
    net_state,
    some_names,
    some_values,
)

NO_FILE = FindingKind(
    name="no-file",
    title="there is no file at the given path",
    explanation="`torch.save` takes what is to be saved first, and the path second.",
    next_step="Save to `path`, as it was given.",
)
PICKLED = FindingKind(
    name="objects-pickled",
    title="the file holds objects, and `torch.load` refuses it",
    explanation="A model or an optimizer as such is pickled with the name of its class. "
    "`weights_only=True`, the default, does not run what it would take to rebuild it.",
    next_step="Save what `state_dict()` returns, of both.",
)
UNREADABLE = FindingKind(
    name="not-a-checkpoint",
    title="`torch.load` cannot read the file",
    explanation="Only `torch.save` writes the format with tags, keys and storages.",
    next_step="Use `torch.save`.",
)
WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the file has other contents",
    explanation='It holds one dict with the keys `"model"` and `"optimizer"`, a state dict each.',
    next_step="Make that dict first, then save it.",
)
PREFIXED = FindingKind(
    name="prefixed-keys",
    title="the keys carry the wrapper's prefix",
    explanation="The wrapper's state dict has its name before every key, and whoever loads it "
    "needs the same wrapper. The net inside has clean keys.",
    next_step="Take the net out of its wrapper, and ask *it* for its state dict.",
)
ONE_WRAPPER = FindingKind(
    name="one-wrapper-only",
    title="a wrapper is left",
    explanation="A wrapped net can be wrapped again, in any order.",
    next_step="Unwrap until no wrapper is left.",
)
CHILD_SAVED = FindingKind(
    name="child-saved",
    title="only a part of the net was saved",
    explanation="A net may have a real part called `module`. `hasattr(net, \"module\")` does not "
    "tell it from a wrapper; the type of the net does.",
    next_step="Ask with `isinstance` for DataParallel and DistributedDataParallel.",
)
WRAPPER_ASSUMED = FindingKind(
    name="wrapper-assumed",
    title="not every net is wrapped",
    explanation="Only a wrapper has `module`, or `_orig_mod`.",
    next_step="Find out whether there is a wrapper before you open it.",
)
BUFFERS_LOST = FindingKind(
    name="buffers-lost",
    title="some of the net's state is missing",
    explanation="A net has buffers beside its parameters, such as the running mean of a "
    "normalisation. Without them the file does not fit the net.",
    next_step="Save the whole state dict.",
)
VALUES_WRONG = FindingKind(
    name="values-wrong",
    title="the file's numbers or keys are not those of the net",
    explanation="What is saved is the net as it is now: every key, its values and its dtype.",
    next_step="Save what `state_dict()` returns, as it is.",
)
OPTIMIZER_EMPTY = FindingKind(
    name="optimizer-state-lost",
    title="the optimizer's memory is not in the file",
    explanation="An optimizer remembers, for each parameter, things such as its momentum, under "
    "`state`. With the settings alone, training would start anew.",
    next_step="Save the optimizer's own state dict, whole.",
)
NET_CHANGED = FindingKind(
    name="net-changed",
    title="saving has changed the net",
    explanation="`Module.cpu` and `Module.to` work in place: training would go on elsewhere, or "
    "with other numbers.",
    next_step="Leave the net where it is: whoever loads the file decides with `map_location`.",
)


class SaveCheckpoint(Judge):
    """Looks into the file, then at the net."""

    name = "saving.save_checkpoint"
    findings = (
        NO_FILE,
        PICKLED,
        UNREADABLE,
        WRONG_FORM,
        PREFIXED,
        ONE_WRAPPER,
        CHILD_SAVED,
        WRAPPER_ASSUMED,
        BUFFERS_LOST,
        VALUES_WRONG,
        OPTIMIZER_EMPTY,
        NET_CHANGED,
    )
    hints = (
        "Two questions: which object is the net itself, and what of it, and of the optimizer, is "
        "data rather than a Python object?",
        "`DataParallel` and `DistributedDataParallel` keep the net in `module`, a compiled net in "
        "`_orig_mod`. A real part of a net may be called `module`, none is called `_orig_mod`.",
        "Unwrap in a loop: as long as it is one of the wrappers, take what is inside. "
        "`isinstance(net, (A, B))` asks for two types at once.",
        "A similar case: boxes in boxes, and what is in the last one.\n"
        "```python\n"
        "def content(thing):\n"
        "    while isinstance(thing, (Box, Bag)):\n"
        "        thing = thing.inside\n"
        "    return thing.describe()\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        parallel = rng.choice(("DataParallel", "DistributedDataParallel"))
        both = rng.sample((parallel, "compile"), 2)
        gpu, other = rng.sample(GPUS[1:], 2)
        drawn: list[tuple[str, str, Sequence[str], str, str, bool]] = [
            ("a net without a wrapper", "", [], "cpu", "", True),
            ("a net in DataParallel, on a GPU", "", ["DataParallel"], "cuda:0", "", True),
            ("an optimizer that has not stepped yet", "", [], gpu, "", False),
            ("a compiled net", "", ["compile"], "cpu", "", True),
            ("a net in DistributedDataParallel", "the other parallel wrapper",
             ["DistributedDataParallel"], gpu, "", True),
            ("two wrappers", "two wrappers", both, other, "", True),
            ("two wrappers of one kind", "two wrappers of one kind",
             [parallel, parallel], "cpu", "", True),
            ("three wrappers", "three wrappers", [*both, parallel], gpu, "", True),
            ("a part called module", "a real part that is called like a wrapper's",
             [], "cpu", "module", True),
            ("a part called module, wrapped", "a wrapper around such a net",
             [rng.choice((parallel, "compile"))], other, "module", True),
        ]
        cases = []
        for title, separates, wrappers, device, first, trained in drawn:
            names = some_names(rng)
            if first:
                names[0] = first
            data = {
                "names": names,
                "values": some_values(rng),
                "gradients": some_values(rng),
                "lr": rng.choice((0.25, 0.5)),
                "momentum": rng.choice((0.5, 0.75)),
                "trained": trained,
                "wrappers": list(wrappers),
                "device": device,
            }
            cases.append(Case(title, separates or title, data, bool(separates)))
        return cases

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        return (
            _judge_file(facts)
            or _judge_model(case.data, dict(facts["model"]))
            or _judge_optimizer(case.data, facts["optimizer"])
            or (None if facts["net_kept"] else NET_CHANGED.found(
                "another device or other values", "the net as it was"))
        )

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type == "AttributeError" and raised.text.endswith(("'module'", "'_orig_mod'")):
            return WRAPPER_ASSUMED.found(raised.text, "a file")
        if "expected 'f' to be string" in raised.text:
            return NO_FILE.found("the path was to be saved", "a file at the path")
        return None


def _judge_file(facts: Facts) -> Finding | None:
    if facts["file"] == "none":
        return NO_FILE.found("no file", "a file at the path")
    if facts["file"] == "refused":
        return PICKLED.found("UnpicklingError: Weights only load failed", "a file of tensors")
    if facts["file"] != "read":
        return UNREADABLE.found(facts["file"], "a file of torch.save")
    if "model" not in facts or "optimizer" not in facts:
        return WRONG_FORM.found(", ".join(facts["parts"][:4]), "model, optimizer")
    return None


def _judge_model(data: Mapping[str, Any], seen: Mapping[str, Any]) -> Finding | None:
    rate = data["lr"] if data["trained"] else 0.0
    values = [v - rate * g for v, g in zip(data["values"], data["gradients"], strict=True)]
    wanted = net_state(data["names"], values)
    kind = _name_keys([*seen], [*wanted], data)
    if kind:
        return kind.found(", ".join([*seen][:3]) + ", …", ", ".join([*wanted][:3]) + ", …")
    for key, content in wanted.items():
        dtype = "int64" if key.endswith("tracked") else "float32"
        if (seen[key].get("values"), seen[key].get("dtype")) != (content, dtype):
            return VALUES_WRONG.found(f"{key}: {brief(seen[key])}", f"{content} in {dtype}")
    return None


def _name_keys(
    seen: Sequence[str], wanted: Sequence[str], data: Mapping[str, Any]
) -> FindingKind | None:
    if set(seen) == set(wanted):
        return None
    front = "".join("_orig_mod." if w == "compile" else "module." for w in data["wrappers"][::-1])
    if front and seen == [front + key for key in wanted]:
        return PREFIXED
    if front and all(any(key.endswith(f".{end}") for end in wanted) for key in seen):
        return ONE_WRAPPER
    if seen and set(seen) < set(wanted):
        return BUFFERS_LOST
    if "module" in data["names"] and set(seen) <= {"weight", "bias"}:
        return CHILD_SAVED
    return VALUES_WRONG


def _judge_optimizer(data: Mapping[str, Any], seen: Mapping[str, Any]) -> Finding | None:
    parts = as_dict(seen)
    if parts is None:
        return WRONG_FORM.found(f"optimizer: {brief(seen)[:60]}", "a state dict")
    state = as_dict(parts.get("state", {"type": "none"}))
    if state is None or "param_groups" not in parts:
        return OPTIMIZER_EMPTY.found(f"keys {', '.join(map(str, parts))}", "state, param_groups")
    if not data["trained"]:
        return None
    buffers = [(as_dict(entry) or {}).get("momentum_buffer", {}) for entry in state.values()]
    found = [buffer.get("values") for buffer in buffers]
    wanted = net_state(data["names"], data["gradients"])
    expected = [values for key, values in wanted.items() if key.endswith(("weight", "bias"))]
    if found != expected:
        return OPTIMIZER_EMPTY.found(f"momentum of {len(found)} parameters",
                                     f"the momentum of all {len(expected)}")
    return None
