"""Cases of `build_on`: modules, devices and default devices, and a `make` that raises."""

import random
from collections.abc import Mapping
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit import Look, Raises

from ..drawing import NO_DEVICE

looks = (
    Look("calls", "called-again", says="calls of `make`"),
    Look("raised", "other-error", says="raised", wants="the exception that `make` raised"),
    Look("result", "other-form", wants="the module that `make` returned"),
    Look("path", "other-device", says="its tensors"),
    Look("default", "default-left", says="the default device after the call"),
)
raises = (
    *NO_DEVICE,
    Raises("make-takes-nothing", "TypeError", "make() takes 0 positional arguments"),
    Raises("make-takes-nothing", "TypeError", "make() got an unexpected keyword argument"),
    Raises("make-not-called", "AttributeError", "'function' object has no attribute"),
    Raises("cpu-refused", "ValueError", "Expected a cuda device"),
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for tensors on another device; None for other facts."""
    if fact != "path":
        return None
    if seen.startswith("made on meta"):
        return "made-on-meta"
    alike = [one == other for one, other in zip(seen.split(", "), right.split(", "), strict=True)]
    return {(True, False): "moved-on", (False, True): "moved-afterwards"}.get(tuple(alike))


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: a module's layers, devices, and whether `make` raises."""
    gpu, other = two_gpus(rng)
    raising = {"default": other, "fails": True}
    rows: list[tuple[str, str, dict[str, Any]]] = [
        ("the task's example", "cuda:1", {"width": 2}),
        ("a module with parameters only", gpu, {"layers": ["linear", "relu", "linear"]}),
        ("a module with buffers", other, {"layers": ["norm", "linear", "norm"]}),
        ("a module that holds no tensor", gpu, {"layers": ["relu"]}),
        ("another GPU than the current one", gpu, {"current": int(other[-1])}),
        ("the CPU", "cpu", {}),
        ("a GPU, while another one is the default device", gpu, {"default": other}),
        ("a GPU that is already the default device", gpu, {"default": gpu}),
        ("the CPU, while a GPU is the default device", "cpu", {"default": gpu}),
        ("a `make` that raises", gpu, {"fails": True}),
        ("a `make` that raises, while another GPU is the default device", gpu, raising),
    ]
    usual = {"default": None, "current": 0, "layers": ["linear", "norm"], "fails": False}
    return [
        (title, {**usual, "width": rng.randint(2, 5), "device": device, **unusual})
        for title, device, unusual in rows
    ]
