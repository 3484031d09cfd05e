"""Judge `predict_to` by torch itself, with fake tensors: device and dtype without any memory.

They need no GPU, real or virtual. `cuda()` and `cpu()` are asked as the `to` they stand for.
"""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from course_utils.checking.clip import clip
from course_utils.checking.contract import Case, Facts, Finding
from course_utils.checking.oracle import OracleJudge

from ..judging import two_gpus

_FLOATS = ("float16", "float32", "float64")


class PredictTo(OracleJudge):
    form, types = "(a device, a dtype, True or False)", ("tuple", "list", "namedtuple")

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        dtype, another = rng.sample(_FLOATS, 2)
        to_gpu = {"device": gpu}
        rows = [
            ("the task's first example", "cpu", "float32", "to", {"device": "cuda:1"}),
            ("to another device", "cpu", "float64", "to", to_gpu),
            ("to another dtype", gpu, "float32", "to", {"dtype": "float64"}),
            ("to the device where it is", gpu, dtype, "to", to_gpu),
            ("to the dtype that it has", other, dtype, "to", {"dtype": dtype}),
            ("to device and dtype at once", gpu, dtype, "to", {"device": other, "dtype": another}),
            (
                "the device where it is, another dtype",
                gpu,
                dtype,
                "to",
                {**to_gpu, "dtype": another},
            ),
            (
                "another device, the dtype that it has",
                gpu,
                dtype,
                "to",
                {"device": other, "dtype": dtype},
            ),
            ("`copy=True`, nothing else to do", gpu, dtype, "to", {**to_gpu, "copy": True}),
            ("`copy=False`, nothing else to do", gpu, dtype, "to", {**to_gpu, "copy": False}),
            ("`copy=False` and another device", other, dtype, "to", {**to_gpu, "copy": False}),
            (
                "`non_blocking=True`, nothing else to do",
                "cpu",
                another,
                "to",
                {"device": "cpu", "non_blocking": True},
            ),
            ("the task's second example", "cuda:1", "float16", "to", {"other": ["cpu", "float64"]}),
            (
                "like a tensor with another device and dtype",
                gpu,
                dtype,
                "to",
                {"other": [other, another]},
            ),
            ("like a tensor with another dtype", gpu, dtype, "to", {"other": [gpu, another]}),
            ("like a tensor with another device", gpu, dtype, "to", {"other": [other, dtype]}),
            (
                "like a tensor with the same device and dtype",
                gpu,
                dtype,
                "to",
                {"other": [gpu, dtype]},
            ),
            (
                "like such a tensor, with `copy=True`",
                gpu,
                dtype,
                "to",
                {"other": [gpu, dtype], "copy": True},
            ),
            ('`to("cuda")` from the CPU', "cpu", dtype, "to", {"device": "cuda"}),
            ('`to("cuda")` from the current GPU', "cuda:0", dtype, "to", {"device": "cuda"}),
            ('`to("cuda")` from another GPU', gpu, dtype, "to", {"device": "cuda"}),
            ("`cuda()` from the CPU", "cpu", another, "cuda", {}),
            ("`cuda()` from the current GPU", "cuda:0", another, "cuda", {}),
            ("`cuda()` from another GPU", other, dtype, "cuda", {}),
            ("`cuda(i)` from another GPU", other, dtype, "cuda", {"device": int(gpu[-1])}),
            ("`cuda(i)` where it is", gpu, dtype, "cuda", {"device": int(gpu[-1])}),
            ("`cpu()` from a GPU", other, another, "cpu", {}),
            ("`cpu()` on the CPU", "cpu", dtype, "cpu", {}),
        ]
        names = ("device", "dtype", "method", "arguments")
        return [Case(title, dict(zip(names, data, strict=True))) for title, *data in rows]

    def oracle(
        self, device: str, dtype: str, method: str, arguments: Mapping[str, Any]
    ) -> tuple[str, str, bool]:
        asked = dict(arguments)
        if method == "cpu":
            asked["device"] = "cpu"
        if method == "cuda":
            asked["device"] = f"cuda:{arguments.get('device', 0)}"
        if asked.get("device") == "cuda":
            asked["device"] = "cuda:0"
        if "dtype" in asked:
            asked["dtype"] = getattr(torch, asked["dtype"])
        with FakeTensorMode():
            x = _fake(device, dtype)
            like = [_fake(*asked.pop("other"))] if "other" in asked else []
            y = x.to(*like, **asked)
            return str(y.device), str(y.dtype).removeprefix("torch."), y is x

    def explain(self, seen: Mapping[str, Any], data: Mapping[str, Any]) -> str:
        items = seen["items"]
        if [item["type"] for item in items] != ["str", "str", "bool"]:
            return "other-form"
        right_device, right_dtype, _ = self.oracle(**data)
        device, dtype, same = (item["value"] for item in items)
        if device != right_device:
            return _name_device(data["method"], data["arguments"])
        if dtype != right_dtype:
            return _name_dtype(data["arguments"])
        if same:
            copied = data["arguments"].get("copy", False)
            return "copy-forgotten" if copied else "same-despite-change"
        return "copy-false" if "copy" in data["arguments"] else "always-new"

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        found = super().judge(case, facts)
        return found and replace(found, seen=f"{clip(found.seen, 80)} for {_call(**case.data)}")


def _call(device: str, dtype: str, method: str, arguments: Mapping[str, Any]) -> str:
    given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return f"x.{method}({given}), x of {dtype} on {device}"


def _fake(device: str, dtype: str) -> torch.Tensor:
    return torch.empty(1, device=device, dtype=getattr(torch, dtype))


def _name_device(method: str, arguments: Mapping[str, Any]) -> str:
    if "other" in arguments:
        return "other-half-read"
    if method == "to" and "device" not in arguments:
        return "dtype-moved-it"
    nameless = arguments.get("device") == "cuda" or (method == "cuda" and not arguments)
    return "cuda-without-index" if nameless else "asked-for-ignored"


def _name_dtype(arguments: Mapping[str, Any]) -> str:
    if "other" in arguments:
        return "other-half-read"
    return "asked-for-ignored" if "dtype" in arguments else "move-changed-dtype"


judge = PredictTo()
