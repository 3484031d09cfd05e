"""Judge `modules.after_to`.

The oracle lets torch's own `Module._apply` run over a real module on the CPU. Where the call names
another device it makes a copy instead: to `_apply`, another GPU and a copy look the same. A test
compares it with the same calls on the devices of the course.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge
from course_utils.checking.facts import brief
from course_utils.judging.modules.material import two_gpus

WRONG_FORM = FindingKind(
    name="wrong-form",
    title="the prediction has another form",
    explanation="It is a dict with the six names of the exercise as keys and `True` or `False` for "
    "each, or the text `\"TypeError\"` where the call raises.",
    next_step="Compare your result with the example of the exercise, key by key.",
)
ALL_NEW = FindingKind(
    name="everything-new",
    title="a module is not moved the way a tensor is",
    explanation="`Tensor.to` returns another tensor; `Module.to` works on the module itself and "
    "returns that same module.",
    next_step="Go through the six names one by one. `net` is always the same.",
)
ALL_SAME = FindingKind(
    name="everything-same",
    title="numbers cannot arrive elsewhere without new memory",
    explanation="In place means that the objects stay, not that nothing changes: the memory behind "
    "a moved parameter is another one.",
    next_step="Ask for each name: is it an object, or the memory that the object uses?",
)
NET_NEW = FindingKind(
    name="net-replaced",
    title="`Module.to` returns the module that it was called on",
    explanation="No flag and no argument changes that: `net.to(…) is net`.",
    next_step="Answer `True` for `net` in every case without an error.",
)
PARAMETER_NEW = FindingKind(
    name="parameter-replaced",
    title="the `Parameter` object stays",
    explanation="`Module.to` puts other numbers into the parameter that is there. That is why an "
    "optimizer that was made before still holds the right one.",
    next_step="Answer `True` for `weight` unless a flag says otherwise.",
)
STORAGE_KEPT = FindingKind(
    name="memory-kept",
    title="a move or a cast needs other memory",
    explanation="The object may be the same, its numbers are then elsewhere, or of another size.",
    next_step="Compare device and dtype before and after: if one differs, the memory does too.",
)
BUFFER_KEPT = FindingKind(
    name="buffer-kept",
    title="a buffer is replaced by what `to` returns",
    explanation="Buffers are plain tensors. The module keeps the new one under the old name, and "
    "whoever holds the old tensor holds one that stayed behind.",
    next_step="Ask for a buffer what `Tensor.to` would return: another object, if there is "
    "anything to do.",
)
COUNTER_CAST = FindingKind(
    name="integer-buffer-cast",
    title="only floating-point tensors are cast",
    explanation="The counter holds whole numbers. `Module.to` moves it with the rest, and leaves "
    "its dtype alone.",
    next_step="For the counter, look at the device only.",
)
NOTHING_TO_DO = FindingKind(
    name="nothing-to-do",
    title="there was nothing to do",
    explanation="Where device and dtype are right already, `to` returns the very tensor it was "
    "called on, for a module's tensors too.",
    next_step="Compare what is asked for with what is there, before anything else.",
)
OVERWRITE = FindingKind(
    name="overwrite-flag",
    title="with the overwrite flag, parameters are made anew",
    explanation="`set_overwrite_module_params_on_conversion(True)` makes a new `Parameter` object "
    "in every call of `to`, around what `to` returned. An optimizer keeps the old one.",
    next_step="Answer for the object and for its memory apart: the flag is about the object.",
)
SWAP = FindingKind(
    name="swap-flag",
    title="with the swap flag, parameters stay the same objects",
    explanation="`set_swap_module_params_on_conversion(True)` exchanges what is inside two tensor "
    "objects. The parameter's identity stays, and the optimizer's hold on it.",
    next_step="Answer for the objects as if there were no flag.",
)
OPTIMIZER = FindingKind(
    name="optimizer-lost",
    title="the optimizer holds the parameter object",
    explanation="It was given the `Parameter` itself. It holds the module's parameter for as long "
    "as that object is the same.",
    next_step="Give `optimizer` the answer that you give `weight`.",
)
INTEGER = FindingKind(
    name="integer-dtype",
    title="a module refuses an integer dtype",
    explanation="Parameters have to be of a floating-point or complex dtype, so the call raises "
    "`TypeError` before anything changes.",
    next_step="Look at the dtype first, whatever else the call names.",
)
NEEDLESS_ERROR = FindingKind(
    name="no-error-here",
    title="this call does not raise",
    explanation="Every floating-point dtype is accepted, whatever dtype the buffers have.",
    next_step="Answer `\"TypeError\"` only for dtypes that hold whole numbers.",
)

KEYS = ("net", "weight", "memory", "mean", "counter", "optimizer")
FLOATS = ("float16", "bfloat16", "float32", "float64")
INTEGERS = ("int32", "int64", "uint8", "int8")


class AfterTo(Judge):
    """Compares the prediction with what `_apply` does."""

    name = "modules.after_to"
    findings = (
        WRONG_FORM,
        ALL_NEW,
        ALL_SAME,
        NET_NEW,
        PARAMETER_NEW,
        STORAGE_KEPT,
        BUFFER_KEPT,
        COUNTER_CAST,
        NOTHING_TO_DO,
        OVERWRITE,
        SWAP,
        OPTIMIZER,
        INTEGER,
        NEEDLESS_ERROR,
    )
    hints = (
        "Ask two questions first: does the device change? Does the dtype of the floating-point "
        "tensors change? Most answers follow from these two.",
        "Parameters are kept, their memory changes if there was anything to do. Buffers are "
        "replaced if there was anything to do. The counter is of an integer dtype, so that only "
        "another device gives it anything to do.",
        "With `flag=\"overwrite\"` every call makes new `Parameter` objects, also one that has "
        "nothing to do; their memory follows the usual rule. The optimizer holds the old objects.",
        "A similar case: does a book stay the same when a library moves or translates it?\n"
        "```python\n"
        "def after_removal(town, language, new_town, new_language):\n"
        "    moved, translated = new_town != town, new_language != language\n"
        "    return {\n"
        "        \"same catalogue number\": True,\n"
        "        \"same shelf\": not moved,\n"
        "        \"same pages\": not translated,\n"
        "    }\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        dtype, another = rng.sample(FLOATS, 2)
        drawn = [
            ("to another device", "", "cpu", "float32", {"device": gpu}, None),
            ("to another dtype", "", gpu, "float32", {"dtype": "float64"}, None),
            ("to the device where it is", "", gpu, dtype, {"device": gpu}, None),
            ("to an integer dtype", "", "cpu", "float32", {"dtype": "int32"}, None),
            ("to another device, with the overwrite flag", "",
             "cpu", dtype, {"device": gpu}, "overwrite"),
            ("from one GPU to another", "two GPUs", gpu, dtype, {"device": other}, None),
            ("device and dtype at once", "device and dtype at once",
             gpu, dtype, {"device": other, "dtype": another}, None),
            ("to the dtype that it has", "a dtype that is there already",
             other, dtype, {"dtype": dtype}, None),
            ("right device, other dtype", "half of it is there already",
             gpu, dtype, {"device": gpu, "dtype": another}, None),
            ("right dtype, other device", "the other half is there already",
             gpu, dtype, {"device": "cpu", "dtype": dtype}, None),
            ("nothing to do, overwrite", "the overwrite flag, and nothing to do",
             gpu, dtype, {"device": gpu}, "overwrite"),
            ("a cast, overwrite", "the overwrite flag, and a cast",
             other, dtype, {"dtype": another}, "overwrite"),
            ("to another device, swap", "the swap flag",
             "cpu", dtype, {"device": other}, "swap"),
            ("nothing to do, swap", "the swap flag, and nothing to do",
             gpu, dtype, {"device": gpu, "dtype": dtype}, "swap"),
            ("integer dtype and device", "another integer dtype, and a device",
             "cpu", dtype, {"device": gpu, "dtype": rng.choice(INTEGERS)}, None),
            ("integer dtype, overwrite", "an integer dtype, and a flag",
             gpu, dtype, {"dtype": rng.choice(INTEGERS)}, "overwrite"),
        ]
        return [
            Case(
                title,
                separates or title,
                {"device": device, "dtype": kind, "arguments": arguments, "flag": flag},
                bool(separates),
            )
            for title, separates, device, kind, arguments, flag in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        seen, wanted = _read(facts["prediction"]), truth(case.data)
        what = _show(case.data)
        if seen == wanted:
            return None
        if seen is None:
            return WRONG_FORM.found(brief(facts["prediction"]), f"{wanted} for {what}")
        if wanted == "TypeError":
            return INTEGER.found(f"{seen} for {what}", str(wanted))
        if seen == "TypeError":
            return NEEDLESS_ERROR.found(f"{seen} for {what}", str(wanted))
        differ = {key: seen[key] for key in KEYS if seen[key] != wanted[key]}
        right = {key: wanted[key] for key in differ}
        return _name(seen, wanted, case.data).found(f"{differ} for {what}", str(right))


def truth(data: Mapping[str, Any]) -> dict[str, bool] | str:
    """What torch makes of the call: same (True) or different (False), or "TypeError"."""
    net = nn.BatchNorm1d(2).to(getattr(torch, data["dtype"]))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    weight, mean, counter = net.weight, net.running_mean, net.num_batches_tracked
    memory = weight.untyped_storage()  # kept, so that its address is not given away again
    arguments = data["arguments"]
    dtype = getattr(torch, arguments["dtype"]) if "dtype" in arguments else None
    elsewhere = arguments.get("device", data["device"]) != data["device"]

    def convert(tensor: torch.Tensor) -> torch.Tensor:
        wanted = dtype if tensor.is_floating_point() else None
        return tensor.to(dtype=wanted or tensor.dtype, copy=elsewhere)

    try:
        if dtype is not None:
            nn.Module().to(dtype)  # refuses integer dtypes in torch's own words
        with _flag(data["flag"]):
            returned = net._apply(convert)
    except TypeError:
        return "TypeError"
    return {
        "net": returned is net,
        "weight": net.weight is weight,
        "memory": net.weight.untyped_storage().data_ptr() == memory.data_ptr(),
        "mean": net.running_mean is mean,
        "counter": net.num_batches_tracked is counter,
        "optimizer": optimizer.param_groups[0]["params"][0] is net.weight,
    }


@contextmanager
def _flag(name: str | None) -> Iterator[None]:
    """Set one of the flags of `torch.__future__`, and put it back."""
    switches = {
        "overwrite": (
            torch.__future__.get_overwrite_module_params_on_conversion,
            torch.__future__.set_overwrite_module_params_on_conversion,
        ),
        "swap": (
            torch.__future__.get_swap_module_params_on_conversion,
            torch.__future__.set_swap_module_params_on_conversion,
        ),
    }
    if name is None:
        yield
        return
    get, put = switches[name]
    before = get()
    put(True)
    try:
        yield
    finally:
        put(before)


def _read(described: Mapping[str, Any]) -> dict[str, bool] | str | None:
    """The prediction, or None if it has another form."""
    if described["type"] == "str" and described["value"] == "TypeError":
        return "TypeError"
    if described["type"] != "dict":
        return None
    keys = [key.get("value") for key in described["keys"]]
    if sorted(map(str, keys)) != sorted(KEYS):
        return None
    if any(item["type"] != "bool" for item in described["items"]):
        return None
    return dict(zip(keys, (item["value"] for item in described["items"]), strict=True))


def _name(
    seen: Mapping[str, bool], wanted: Mapping[str, bool], data: Mapping[str, Any]
) -> FindingKind:
    if not any(seen.values()):
        return ALL_NEW
    if all(seen.values()):
        return OVERWRITE if data["flag"] == "overwrite" and wanted["memory"] else ALL_SAME
    if seen["net"] != wanted["net"]:
        return NET_NEW
    if seen["weight"] != wanted["weight"]:
        return {"overwrite": OVERWRITE, "swap": SWAP}.get(data["flag"], PARAMETER_NEW)
    if seen["optimizer"] != wanted["optimizer"]:
        return OPTIMIZER
    if seen["counter"] != wanted["counter"] and wanted["memory"] == seen["memory"]:
        return COUNTER_CAST if wanted["counter"] and not wanted["memory"] else _idle(wanted)
    if seen["memory"] != wanted["memory"]:
        if data["flag"] == "overwrite":
            return OVERWRITE
        return STORAGE_KEPT if seen["memory"] else NOTHING_TO_DO
    return _idle(wanted)


def _idle(wanted: Mapping[str, bool]) -> FindingKind:
    """Why a buffer is the same, or is not."""
    return NOTHING_TO_DO if wanted["mean"] else BUFFER_KEPT


def _show(data: Mapping[str, Any]) -> str:
    named = ", ".join(f"{name}={value!r}" for name, value in data["arguments"].items())
    flag = f", flag {data['flag']!r}" if data["flag"] else ""
    return f"net.to({named}) of {data['dtype']} on {data['device']}{flag}"
