"""Judge `save_checkpoint` by its file, read as whoever resumes the training would read it.

The oracle knows what was written into the model and does one step of SGD by hand: with whole
numbers and a rate of a half or a quarter, it is exact.
"""

import base64
import io
import math
import pickle
import random
import warnings
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.drawing import GPUS
from exercise_kit.contract import Case, Facts, Finding, Judge, Raise
from exercise_kit.facts import brief, describe
from exercise_kit.text import clip

from ..drawing import some_names, some_values

_SHAPES: Mapping[str, tuple[int, ...]] = {
    "0.weight": (2, 2),
    "0.bias": (2,),
    "1.weight": (2,),
    "1.bias": (2,),
    "1.running_mean": (2,),
    "1.running_var": (2,),
    "1.num_batches_tracked": (),
    "2.weight": (1, 2),
    "2.bias": (1,),
}


def is_parameter(key: str) -> bool:
    return key.endswith(("weight", "bias"))


def state_of(names: Sequence[str], values: Sequence[float]) -> dict[str, Any]:
    """The keys of the model's state dict, and what is in each, as nested lists."""
    rest, state = list(values), {}
    for key, shape in _SHAPES.items():
        number, _, kind = key.partition(".")
        part, rest = rest[: math.prod(shape)], rest[math.prod(shape) :]
        content: Any = part
        if len(shape) != 1:
            content = [part[:2], part[2:]] if shape == (2, 2) else [part] if shape else part[0]
        state[f"{names[int(number)]}.{kind}"] = content
    return state


class SaveCheckpoint(Judge):
    def cases(self, rng: random.Random) -> Sequence[Case]:
        parallel = rng.choice(("DataParallel", "DistributedDataParallel"))
        both = rng.sample((parallel, "compile"), 2)
        gpu, other = rng.sample(GPUS[1:], 2)
        rows: list[tuple[str, Mapping[str, Any]]] = [
            (
                "the task's example, a model in DataParallel before its first step",
                {"wrappers": ["DataParallel"], "names": ["0", "1", "2"], "trained": False},
            ),
            ("a model without a wrapper", {}),
            ("a model in DataParallel, on a GPU", {"wrappers": ["DataParallel"], "device": gpu}),
            (
                "a model in DistributedDataParallel",
                {"wrappers": ["DistributedDataParallel"], "device": other},
            ),
            ("a compiled model", {"wrappers": ["compile"]}),
            ("two wrappers of different kinds", {"wrappers": both, "device": gpu}),
            ("two wrappers of one kind", {"wrappers": [parallel] * 2}),
            ("three wrappers", {"wrappers": [*both, parallel], "device": other}),
            ("a real part called `module`", {"names": ["module", *some_names(rng)[1:]]}),
            (
                "a real part called `module`, in a wrapper",
                {"names": ["module", *some_names(rng)[1:]], "wrappers": [rng.choice(both)]},
            ),
            ("a model whose only part is called `module`", {"only_part": "module."}),
            ("a model in evaluation mode", {"wrappers": ["DataParallel"], "training": False}),
        ]
        usual = {
            "wrappers": [],
            "only_part": "",
            "device": "cpu",
            "trained": True,
            "training": True,
        }
        cases = []
        for title, row in rows:
            rates = {"lr": rng.choice((0.25, 0.5)), "momentum": rng.choice((0.5, 0.75))}
            drawn = {
                "names": some_names(rng),
                "values": some_values(rng),
                "gradients": some_values(rng),
            }
            cases.append(Case(title, {**usual, **drawn, **rates, **row}))
        return cases

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        if facts["file"] is None:
            return Finding("no-file", "no file", "a file at the path")
        content = _read(base64.b64decode(facts["file"]))
        if isinstance(content, Finding):
            return content
        parts = [str(part) for part in content] if isinstance(content, dict) else []
        if not {"model", "optimizer"} <= set(parts):
            seen = f"the keys {parts[:4]}" if parts else type(content).__name__
            return Finding("other-content", seen, "a dict with the keys model, optimizer")
        finding = _judge_model(case.data, content["model"])
        if finding and finding.name == "values-changed" and "model" in facts["changed"]:
            return _judge_rest(facts)
        return finding or _judge_optimizer(case.data, content["optimizer"]) or _judge_rest(facts)

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type == "AttributeError" and raised.text.endswith(("'module'", "'_orig_mod'")):
            return Finding("wrapper-assumed", raised.text, "a file")
        if "expected 'f' to be string" in raised.text:
            return Finding("no-file", "a path that was to be saved", "a file at the path")
        return None


def _read(content: bytes) -> Any:
    """What is in the file, or the finding that says why it cannot be read."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about files that torch.save did not write
            return torch.load(io.BytesIO(content), map_location="cpu", weights_only=True)
    except pickle.UnpicklingError:
        # A file without tags, keys and storages is refused in the same words.
        if zipfile.is_zipfile(io.BytesIO(content)):
            return Finding(
                "objects-pickled", "UnpicklingError: Weights only load failed", "a file of tensors"
            )
        return Finding("not-a-checkpoint", "no zip file", "a file of torch.save")
    except Exception as error:
        return Finding("not-a-checkpoint", type(error).__name__, "a file of torch.save")


def _judge_model(data: Mapping[str, Any], seen: Any) -> Finding | None:
    if not isinstance(seen, dict):
        return Finding("other-content", f"model: {type(seen).__name__}", "model: a state dict")
    wanted = _after_step(data)
    name = _name_keys([*map(str, seen)], [*wanted], data)
    if name:
        strange = [str(key) for key in seen if key not in wanted]
        lost = [key for key in wanted if key not in seen]
        if strange:
            return Finding(name, f"the key {strange[0]}", f"the key {(lost or [*wanted])[0]}")
        return Finding(name, f"no key {lost[0]}", "every key of the bare model")
    for key, values in wanted.items():
        found = describe(seen[key])
        dtype = "int64" if key.endswith("tracked") else "float32"
        if (found.get("values"), found.get("dtype")) != (values, dtype):
            shown = clip(brief(found), 100)
            return Finding("values-changed", f"{key}: {shown}", f"{key}: {values} in {dtype}")
    return None


def _after_step(data: Mapping[str, Any]) -> dict[str, Any]:
    """The state dict after one step of SGD; buffers do not take part in it."""
    rate = data["lr"] if data["trained"] else 0.0
    pairs = zip(data["values"], data["gradients"], strict=True)
    before = state_of(data["names"], data["values"])
    after = state_of(data["names"], [value - rate * gradient for value, gradient in pairs])
    front = data["only_part"]
    return {front + key: (after if is_parameter(key) else before)[key] for key in before}


def _name_keys(seen: Sequence[str], wanted: Sequence[str], data: Mapping[str, Any]) -> str | None:
    if set(seen) == set(wanted):
        return None
    front = "".join("_orig_mod." if w == "compile" else "module." for w in data["wrappers"][::-1])
    left = next((key.removesuffix(wanted[0]) for key in seen if key.endswith(wanted[0])), "")
    if front and left and front.endswith(left) and {left + key for key in wanted} == set(seen):
        return "prefixed-keys" if left == front else "wrapper-left"
    if seen and set(seen) == {key for key in wanted if is_parameter(key)}:
        return "buffers-lost"
    if data["only_part"] or ("module" in data["names"] and set(seen) == {"weight", "bias"}):
        return "part-saved"
    if set(seen) == {key.replace("module.", "") for key in wanted}:
        return "part-renamed"
    return "other-keys"


def _judge_optimizer(data: Mapping[str, Any], seen: Any) -> Finding | None:
    if not isinstance(seen, dict):
        return Finding(
            "other-content", f"optimizer: {type(seen).__name__}", "optimizer: a state dict"
        )
    if not {"state", "param_groups"} <= set(seen):
        return Finding(
            "optimizer-state-lost",
            f"the keys {[*map(str, seen)][:4]}",
            "the keys state, param_groups",
        )
    gradients = state_of(data["names"], data["gradients"])
    steps = [gradients[key] for key in gradients if is_parameter(key)] if data["trained"] else []
    group = {"lr": data["lr"], "momentum": data["momentum"], "params": list(range(6))}
    try:
        found = [entry["momentum_buffer"].tolist() for entry in seen["state"].values()]
        settings = [{key: part[key] for key in group} for part in seen["param_groups"]]
    except (AttributeError, KeyError, TypeError):
        return Finding("optimizer-state-lost", "a part of its state dict", "all of it")
    if found != steps:
        return Finding(
            "optimizer-state-lost",
            f"the momentum of {len(found)} parameters",
            f"that of {len(steps)}, with its values",
        )
    if settings != [group]:
        return Finding("optimizer-state-lost", clip(f"param_groups: {settings}", 120), f"{[group]}")
    return None


def _judge_rest(facts: Facts) -> Finding | None:
    if "training" in facts["changed"]:
        return Finding("training-flag-changed", "another mode", "the mode that it was in")
    if facts["changed"]:
        what = ", ".join(facts["changed"])
        return Finding("model-changed", f"changed: {what}", "nothing changed")
    return None
