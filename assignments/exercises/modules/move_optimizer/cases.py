"""Cases of `move_optimizer`: optimizers with states of several kinds, before and amid training."""

import random
from collections.abc import Mapping
from functools import partial
from typing import Any

from course_utils.checking.drawing import two_gpus
from exercise_kit import Look, Raises

_state = partial(Look, finding="state-changed", form="state-changed", says="state of net")
looks = (
    Look("held", "parameters-replaced", says="the optimizer holds"),
    Look("net", "net-left-behind", says="device of net"),
    Look("stayed", "parameters-forgotten", says="states left on the old device, of net"),
    _state("counters", parts={"device": "step-counter-moved"}),
    _state("states", parts={"device": "other-device"}, tolerance=1e-4),
    Look("no_gradient", "gradient-lost", says="parameters without a gradient", wants="none"),
    Look("raised", "training-differs", says="the next step", wants="a step without an error"),
    Look("trained", "training-differs", tolerance=1e-4, says="weights after more steps"),
)
raises = tuple(
    Raises("no-such-to", "AttributeError", f"'{kind}' object has no attribute '{method}'")
    for kind in ("SGD", "Adam", "Adagrad", "dict", "defaultdict")
    for method in ("to", "cuda", "cpu")
)


def explain(fact: str, seen: Any, right: Any, data: Mapping[str, Any]) -> str | None:
    """The finding for states of which a part moved; None for other facts."""
    counts = [text.split(" of ") for text in seen.values()] if fact == "stayed" else ()
    return "names-forgotten" if any(left not in ("0", most) for left, most in counts) else None


def cases(rng: random.Random) -> list[tuple[str, dict[str, Any]]]:
    """Title and data of each case: net, batch, optimizer and its state, and two devices."""
    gpu, other = two_gpus(rng)
    example = {"x": [[1.0, 1.0]], "steps_before": 1}
    momentum = {"momentum": 0.5}
    amid = {"steps_before": 1, "pending": True}
    rows: list[tuple[str, str, dict[str, Any], str, str, dict[str, Any]]] = [
        (
            "SGD with momentum after one step, as in the task",
            "SGD",
            momentum,
            "cpu",
            "cuda:1",
            example,
        ),
        ("SGD with momentum", "SGD", momentum, "cpu", gpu, {}),
        ("SGD without momentum", "SGD", {}, "cpu", gpu, {}),
        ("Adam", "Adam", {}, "cpu", gpu, {"steps_before": 3}),
        ("Adam with one more average", "Adam", {"amsgrad": True}, "cpu", other, {}),
        ("Adam, from one GPU to another", "Adam", {}, gpu, other, {}),
        ("Adafactor, with states of other shapes", "Adafactor", {}, "cpu", gpu, {}),
        ("back to the CPU", "SGD", momentum, other, "cpu", {}),
        ("a net with weights in float64", "Adam", {}, "cpu", gpu, {"dtype": "float64"}),
        ("an optimizer before its first step", "Adam", {}, "cpu", other, {"steps_before": 0}),
        ("between `backward` and `step`", "SGD", momentum, "cpu", gpu, amid),
        ("Adagrad, between `backward` and `step`", "Adagrad", {}, gpu, other, {"pending": True}),
        ("after `zero_grad`, without gradients", "SGD", momentum, "cpu", gpu, {"cleared": True}),
        ("everything is already on the device", "Adam", {}, gpu, gpu, {}),
    ]
    usual = {"dtype": "float32", "steps_before": 2, "pending": False, "cleared": False}
    names = ("optimizer", "options", "start", "device")
    return [
        (title, {**usual, **dict(zip(names, row, strict=True)), **net_and_batch(rng), **unusual})
        for title, *row, unusual in rows
    ]


def net_and_batch(rng: random.Random) -> dict[str, Any]:
    """The weights of a net, and a batch of three rows."""

    def row(length: int) -> list[float]:
        return [rng.choice((-1, 1)) * rng.randint(1, 4) / 4 for _ in range(length)]

    weights = [[row(2), row(2)], row(2), [row(2)], row(1)]
    return {"weights": weights, "x": [row(2) for _ in range(3)]}
