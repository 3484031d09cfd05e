"""Judge `parallel.predict_wrap`.

The oracle lets torch name the keys of nested modules, and plays the forward on the CPU with the
replicas that torch itself makes (`Module._replicate_for_data_parallel`). A test compares it with
real wrappers on the devices of the course.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the prediction has another form",
    explanation="It is a dict with five keys: `keys` (a list of texts), `reach` (a text), `calls` "
    "and `seen` (whole numbers) and `shape` (a list of whole numbers).",
    next_step="Compare your result with the example of the exercise, key by key.",
)
NO_PREFIX = FindingKind(
    name="prefix-missing",
    title="the wrapper is a module of its own",
    explanation="It holds your module under the name `module`. So each key of its `state_dict` "
    "begins with `module.`.",
    next_step="Put `module.` before each key, once for each wrapper.",
)
CPU_PREFIX = FindingKind(
    name="prefix-on-cpu-missing",
    title="the prefix is there without a GPU as well",
    explanation="Without a GPU the wrapper only passes its input on. It is still a module that "
    "holds yours.",
    next_step="Make the keys depend on the number of wrappers, and on nothing else.",
)
NESTED = FindingKind(
    name="one-prefix-for-two",
    title="each wrapper adds its own name",
    explanation="A wrapped wrapper is `module.module`: the outer one holds the inner one, which "
    "holds your module.",
    next_step="Repeat the prefix as often as there are wrappers.",
)
OTHER_KEYS = FindingKind(
    name="other-keys",
    title="the keys are other ones",
    explanation="Parameters and buffers are saved, parameters first. A plain attribute such as "
    "`calls` is not.",
    next_step="Begin with the keys of the bare module, `scale` and `seen`, in this order.",
)
ATTRIBUTE = FindingKind(
    name="attribute-not-reached",
    title="the wrapper does not pass attributes on",
    explanation="`'DataParallel' object has no attribute 'scale'`: what belongs to your module is "
    "reached through `.module`, once for each wrapper.",
    next_step="Write `net`, then `.module` for each wrapper, then `.scale`.",
)
COUNTED = FindingKind(
    name="counter-counts",
    title="the replicas counted, and were thrown away",
    explanation="With several GPUs it is the replicas whose `forward` runs. Each has its own "
    "`calls`, and your module's stays what it was.",
    next_step="Leave `calls` alone where there are two GPUs or more.",
)
NOT_COUNTED = FindingKind(
    name="counter-stopped",
    title="here your module itself ran",
    explanation="Without a wrapper, without a GPU or with a single one, nothing is replicated. "
    "`forward` runs once, on your module.",
    next_step="Ask first whether there are replicas at all.",
)
BUFFER_LOST = FindingKind(
    name="buffer-lost",
    title="the buffer was changed in place",
    explanation="The replica on the first GPU shares the memory of your module's parameters and "
    "buffers. What is written into them *in place* stays. That is how `BatchNorm` works.",
    next_step="Treat the buffer otherwise than the plain attribute.",
)
BUFFER_EACH = FindingKind(
    name="buffer-counted-by-all",
    title="only one replica shares the buffer",
    explanation="The others have copies, and what they write is lost. Only the replica on the "
    "first GPU writes into your module's own.",
    next_step="Count one call for `seen`, however many replicas there are.",
)
SCALAR = FindingKind(
    name="scalars-gathered",
    title="numbers are gathered into a vector",
    explanation="Each replica returns its own mean, and they are not averaged: the wrapper puts "
    "them side by side.",
    next_step="Give the vector one entry for each replica.",
)
PER_GPU = FindingKind(
    name="one-number-per-gpu",
    title="not every GPU has a part",
    explanation="A small batch is used up before the GPUs are. There are as many replicas as "
    "parts.",
    next_step="Count the parts into which `chunk` cuts the batch.",
)
PER_SAMPLE = FindingKind(
    name="one-number-per-sample",
    title="each replica returns one number for its whole part",
    explanation="`mean()` makes one number out of all samples of a part.",
    next_step="Count replicas, not samples.",
)
NOT_GATHERED = FindingKind(
    name="nothing-gathered",
    title="nothing is gathered here",
    explanation="Without a wrapper, without a GPU or with a single one, the module's own result is "
    "returned as it is: a tensor without dimensions, of shape `[]`.",
    next_step="Ask first whether there are replicas at all.",
)
OTHER_VALUE = FindingKind(
    name="other-value",
    title="one of the values is another",
    explanation="Two questions decide: how many wrappers are there, and how many replicas?",
    next_step="Wrap such a net yourself, and look.",
)

KEYS = ("keys", "reach", "calls", "seen", "shape")


class PredictWrap(Judge):
    """Compares the prediction with what happens, key by key."""

    name = "parallel.predict_wrap"
    findings = (
        WRONG_FORM,
        NO_PREFIX,
        CPU_PREFIX,
        NESTED,
        OTHER_KEYS,
        ATTRIBUTE,
        COUNTED,
        NOT_COUNTED,
        BUFFER_LOST,
        BUFFER_EACH,
        SCALAR,
        PER_GPU,
        PER_SAMPLE,
        NOT_GATHERED,
        OTHER_VALUE,
    )
    hints = (
        "The first two answers depend on the number of wrappers only, the other three on the "
        "number of replicas.",
        "There are replicas if there is a wrapper and two GPUs or more. Their number is that of "
        "the parts into which `chunk` cuts the batch.",
        "What replicas write into plain attributes is lost. What the one on the first GPU writes "
        "into a buffer, in place, stays. Results without dimensions become a vector.",
        "A similar case: a letter in envelopes, read by several clerks.\n"
        "```python\n"
        "def post(envelopes, clerks):\n"
        "    copied = envelopes > 0 and clerks > 1\n"
        "    return {\n"
        "        \"address\": \"envelope/\" * envelopes + \"letter\",\n"
        "        \"notes in the margin\": 0 if copied else 1,    # clerks write on copies\n"
        "        \"answers\": clerks if copied else 1,\n"
        "    }\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        calls, many = rng.randint(3, 90), rng.randint(8, 40)
        drawn = [
            ("one wrapper, 2 GPUs", "", 1, 2, 4, 0),
            ("no wrapper", "", 0, 2, 4, 5),
            ("one wrapper, no GPU", "", 1, 0, 4, 0),
            ("one wrapper, 4 GPUs, 5 samples", "", 1, 4, 5, 7),
            ("a wrapper in a wrapper, no GPU", "", 2, 0, 3, 0),
            ("many GPUs, a counter that has counted", "a counter that has counted already",
             1, rng.randint(3, 8), many, calls),
            ("one GPU", "a single GPU", 1, 1, rng.randint(2, 9), calls),
            ("two wrappers, one GPU", "two wrappers on a single GPU", 2, 1, many, calls),
            ("three wrappers", "three wrappers", 3, 0, rng.randint(2, 9), calls),
            ("one sample", "a single sample and many GPUs", 1, rng.randint(2, 8), 1, calls),
            ("9 samples", "parts that are used up early", 1, 4, 9, calls),
            ("no GPU, counter", "no GPU, and a counter that has counted", 1, 0, many, calls),
            ("bare, no GPU", "a bare module without a GPU", 0, 0, many, calls),
        ]
        return [
            Case(
                title,
                separates or title,
                {"wraps": wraps, "gpus": gpus, "batch": batch, "calls": before},
                bool(separates),
            )
            for title, separates, wraps, gpus, batch, before in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, right = case.data, truth(case.data)
        seen = _read(facts["prediction"])
        what = ", ".join(f"{name}={value}" for name, value in data.items())
        if seen is None:
            return WRONG_FORM.found(brief(facts["prediction"]), f"{right} for {what}")
        for key in KEYS:
            if seen[key] != right[key]:
                kind = _name(key, seen[key], right[key], data)
                return kind.found(f"{key}: {seen[key]!r} for {what}"[:200], repr(right[key]))
        return None


class Counting(nn.Module):
    """The module of the task."""

    def __init__(self, calls: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))
        self.register_buffer("seen", torch.zeros((), dtype=torch.int64))
        self.calls = calls

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        self.calls += 1
        self.seen.add_(1)
        return (x * self.scale).mean()


def truth(data: Mapping[str, int]) -> dict[str, Any]:
    """The prediction that comes true."""
    net = Counting(data["calls"])
    wrapped: nn.Module = net
    for _ in range(data["wraps"]):
        wrapped, inner = nn.Module(), wrapped
        wrapped.module = inner
    x = torch.ones(data["batch"], 2)
    if data["wraps"] == 0 or data["gpus"] < 2:
        result = net(x)
    else:
        result = torch.stack([
            _replica(net, number)(part) for number, part in enumerate(x.chunk(data["gpus"]))
        ])
    keys = list(wrapped.state_dict())
    return {
        "keys": keys,
        "reach": f"net.{keys[0]}",
        "calls": net.calls,
        "seen": int(net.seen),
        "shape": list(result.shape),
    }


def _replica(net: Counting, number: int) -> nn.Module:
    """What `replicate` makes: a module of its own that shares memory on the first GPU only."""
    replica = net._replicate_for_data_parallel()
    replica._buffers["seen"] = net.seen if number == 0 else net.seen.clone()
    replica.scale = net.scale.detach()
    return replica


def _read(described: Mapping[str, Any]) -> dict[str, Any] | None:
    """The described prediction as plain values, or None if it has another form."""
    if described["type"] != "dict":
        return None
    names = [key.get("value") for key in described["keys"]]
    if sorted(map(str, names)) != sorted(KEYS):
        return None
    parts = dict(zip(names, described["items"], strict=True))
    kinds = {"reach": "str", "calls": "int", "seen": "int"}
    if any(parts[name]["type"] != kind for name, kind in kinds.items()):
        return None
    for name, kind in (("keys", "str"), ("shape", "int")):
        if parts[name]["type"] not in ("list", "tuple"):
            return None
        if any(item["type"] != kind for item in parts[name]["items"]):
            return None
    return {
        name: [item["value"] for item in part["items"]] if "items" in part else part["value"]
        for name, part in parts.items()
    }


def _name(key: str, seen: Any, right: Any, data: Mapping[str, int]) -> FindingKind:
    replicated = data["wraps"] > 0 and data["gpus"] > 1
    parts = len(torch.empty(data["batch"]).chunk(max(1, data["gpus"])))
    if key == "keys":
        if seen == ["scale", "seen"]:
            return CPU_PREFIX if data["gpus"] == 0 else NO_PREFIX
        return NESTED if seen == ["module.scale", "module.seen"] else OTHER_KEYS
    if key == "reach":
        return ATTRIBUTE
    if key == "calls":
        if replicated:
            return COUNTED if seen > right else OTHER_VALUE
        return NOT_COUNTED if seen == data["calls"] else OTHER_VALUE
    if key == "seen":
        if seen == 0:
            return BUFFER_LOST
        return BUFFER_EACH if replicated and seen == parts else OTHER_VALUE
    if not replicated:
        return NOT_GATHERED
    named = {(): SCALAR, (data["batch"],): PER_SAMPLE, (data["gpus"],): PER_GPU}
    return named.get(tuple(seen), OTHER_VALUE)
