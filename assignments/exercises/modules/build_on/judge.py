"""Judge `build_on` by where the tensors were when `make` ended, and by what is left behind."""

import random
from collections.abc import Sequence
from typing import Any

from course_utils.checking.contract import Case, Facts, Finding, Judge, Raises

from ..judging import NO_DEVICE, short, two_gpus


class BuildOn(Judge):
    raises = (
        *NO_DEVICE,
        Raises("make-takes-nothing", "TypeError", "make() takes 0 positional arguments"),
        Raises("make-takes-nothing", "TypeError", "make() got an unexpected keyword argument"),
        Raises("make-not-called", "AttributeError", "'function' object has no attribute"),
        Raises("cpu-refused", "ValueError", "Expected a cuda device"),
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        number = int(other[-1])

        def case(
            title: str,
            device: str,
            default: str | None = None,
            current: int = 0,
            layers: Sequence[str] = ("linear", "norm"),
            width: int | None = None,
            fails: bool = False,
        ) -> Case:
            width = rng.randint(2, 5) if width is None else width
            data = {"device": device, "default": default, "current": current}
            return Case(title, data | {"layers": layers, "width": width, "fails": fails})

        return [
            case("the task's example", "cuda:1", width=2),
            case("a module with parameters only", gpu, layers=["linear", "relu", "linear"]),
            case("a module with buffers", other, layers=["norm", "linear", "norm"]),
            case("a module that holds no tensor", gpu, layers=["relu"]),
            case("another GPU than the current one", gpu, current=number),
            case("the CPU", "cpu"),
            case("a GPU, while another one is the default device", gpu, default=other),
            case("a GPU that is the default device already", gpu, default=gpu),
            case("the CPU, while a GPU is the default device", "cpu", default=gpu),
            case("a `make` that raises", gpu, fails=True),
            case(
                "a `make` that raises, while another GPU is the default device",
                gpu,
                default=other,
                fails=True,
            ),
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        return (
            _judge_calls(facts)
            or _judge_error(case, facts)
            or _judge_result(case, facts)
            or _judge_default(case, facts)
        )


def _judge_calls(facts: Facts) -> Finding | None:
    calls = len(facts["made"])
    if calls == 1:
        return None
    return Finding("called-again" if calls else "make-not-called", f"{calls} calls", "one call")


def _judge_error(case: Case, facts: Facts) -> Finding | None:
    wanted = "the exception that `make` raised"
    if not case.data["fails"]:
        return None
    if facts["raised"] is None:
        return Finding("error-swallowed", "no exception", wanted)
    if facts["raised"] != "its own":
        return Finding("other-error", short(facts["raised"]), wanted)
    return None


def _judge_result(case: Case, facts: Facts) -> Finding | None:
    """Where the tensors were made, and for a `make` that ended well, what came back."""
    device, made = case.data["device"], facts["made"][0]
    wanted = f"the module that `make` returned, made on {device}"
    if not case.data["fails"]:
        if facts["result"] == "NoneType":
            return Finding("nothing-returned", "None", wanted)
        if facts["result"] != "module":
            return Finding("other-form", f"a result of type {facts['result']}", wanted)
    if _all_on(made, device):
        if case.data["fails"]:
            return None
        if not facts["same"]:
            return Finding("another-module", "another module", wanted)
        if not _all_on(facts["places"], device):
            return Finding("moved-on", f"its tensors on {_devices(facts['places'])}", wanted)
        return None
    seen = f"made on {_devices(made)}"
    if not case.data["fails"] and _all_on(facts["places"], device):
        return Finding("moved-afterwards", f"{seen}, then brought to {device}", wanted)
    return Finding(_elsewhere(case, made), seen, wanted)


def _elsewhere(case: Case, made: Sequence[Any]) -> str:
    if _all_on(made, case.data["default"] or "cpu"):
        return "default-used"
    if _all_on(made, f"cuda:{case.data['current']}"):
        return "current-gpu"
    return "other-device"


def _judge_default(case: Case, facts: Facts) -> Finding | None:
    before, after = case.data["default"] or "cpu", facts["default"]
    if after == before:
        return None
    name = "default-left"
    if case.data["fails"]:
        name = "default-left-by-error"
    elif after != case.data["device"]:
        name = "default-forgotten"
    return Finding(name, f"default device {after} afterwards", before)


def _all_on(places: Sequence[Any], device: str) -> bool:
    return all(place == device for _, place in places)


def _devices(places: Sequence[Any]) -> str:
    return " and ".join(sorted({place for _, place in places}))


judge = BuildOn()
