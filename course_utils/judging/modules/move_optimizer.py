"""Judge `modules.move_optimizer`.

The oracle trains the same net on the CPU, with torch's own optimizer and without any move.
"""

import math
import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch import nn

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief
from course_utils.judging.modules.material import two_gpus

NO_TO = FindingKind(
    name="no-such-to",
    title="this object has no `to`",
    explanation="Tensors and modules have one. An optimizer has none, and neither have the dicts "
    "in which it keeps its states.",
    next_step="Go down to the tensors: `optimizer.state` is a dict of dicts.",
)
NET_LEFT = FindingKind(
    name="net-left-behind",
    title="the net is not where it was asked for",
    explanation="Net and states have to be on one device, or the next step fails.",
    next_step="Call `net.to(device)`; it works in place.",
)
ORPHANED = FindingKind(
    name="parameters-replaced",
    title="the optimizer trains parameters that the net no longer has",
    explanation="An optimizer holds `Parameter` objects. Whoever replaces them in the net, or in "
    "the optimizer, separates the two, and no error is raised.",
    next_step="Let `net.to(device)` do the move: it keeps the objects.",
)
STATE_LEFT = FindingKind(
    name="state-left-behind",
    title="the states of the optimizer stayed where they were",
    explanation="`net.to` knows nothing of the optimizer. Its states, such as averages of past "
    "gradients, are tensors of its own, kept in `optimizer.state`. A new optimizer that is made "
    "inside the function changes nothing for the caller.",
    next_step="For each parameter's dict in `optimizer.state`, replace the tensors by what `to` "
    "returns.",
)
STATE_LOST = FindingKind(
    name="state-lost",
    title="the optimizer has forgotten its states",
    explanation="Without them, training begins anew: the averages, and the count of the steps, are "
    "what it has learned about its way.",
    next_step="Move the states instead of dropping them.",
)
STATE_CHANGED = FindingKind(
    name="state-changed",
    title="the states have other values than before",
    explanation="A move changes the place and nothing else, neither values nor dtype.",
    next_step="Replace each tensor by what `to(device)` returns for it.",
)
STEP_MOVED = FindingKind(
    name="step-counter-moved",
    title="the counter of the steps was moved",
    explanation="It is a tensor without dimensions that the optimizer reads on the CPU. On a GPU, "
    "each step would have to wait for it to be copied back.",
    next_step="Move only states with `dim() > 0`.",
)
OTHER_DEVICE = FindingKind(
    name="other-device",
    title="something was moved to another device",
    explanation="The target is the parameter `device`. `.cuda()` means the current GPU instead.",
    next_step="Use `device` itself wherever the function names a target.",
)
TRAINING_DIFFERS = FindingKind(
    name="training-differs",
    title="training does not go on as it would have without the move",
    explanation="Everything is in place, but something else has changed: a gradient that was "
    "waiting for its step, a learning rate, a value.",
    next_step="Compare `p.grad` and `optimizer.param_groups` before and after your function.",
)

TOLERANCE = 1e-4
OPTIMIZERS = {"SGD": torch.optim.SGD, "Adam": torch.optim.Adam, "Adagrad": torch.optim.Adagrad}


class MoveOptimizer(Judge):
    """Compares the places of net and states, then the parameters after further training."""

    name = "modules.move_optimizer"
    findings = (
        NO_TO,
        NET_LEFT,
        ORPHANED,
        STATE_LEFT,
        STATE_LOST,
        STATE_CHANGED,
        STEP_MOVED,
        OTHER_DEVICE,
        TRAINING_DIFFERS,
    )
    hints = (
        "Two things are to be moved: the net, which is easy, and the states. Print "
        "`optimizer.state` after a step of Adam: what are its keys, what are its values?",
        "`optimizer.state` has a dict for each parameter: `for states in "
        "optimizer.state.values():`. In it, names lead to tensors.",
        "`Tensor.to` returns the moved tensor, so that it has to be put back under its name. The "
        "counter `step` has `dim() == 0` and stays.",
        "A similar case: round all long lists in a dict of dicts, in place.\n"
        "```python\n"
        "def round_lists(measured):\n"
        "    for readings in measured.values():\n"
        "        for name, values in readings.items():\n"
        "            if len(values) > 1:\n"
        "                readings[name] = [round(value) for value in values]\n\n"
        "m = {\"Oslo\": {\"rain\": [1.2, 3.9], \"id\": [7.5]}}\n"
        "round_lists(m)   # m is {'Oslo': {'rain': [1, 4], 'id': [7.5]}}\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        gpu, other = two_gpus(rng)
        momentum, adam = ("SGD", {"momentum": 0.5}), ("Adam", {})
        drawn = [
            ("SGD without momentum", "", ("SGD", {}), "cpu", gpu, 2, False),
            ("SGD with momentum", "", momentum, "cpu", gpu, 2, False),
            ("Adam", "", adam, "cpu", gpu, 3, False),
            ("Adam, from GPU to GPU", "two GPUs", adam, gpu, other, 2, False),
            ("back to the CPU", "the way back to the CPU", momentum, other, "cpu", 2, False),
            ("no step so far", "an optimizer that has made no step", adam, "cpu", other, 0, False),
            ("between `backward` and `step`", "a gradient that waits for its step",
             momentum, "cpu", gpu, 1, True),
            ("Adam with all averages", "an optimizer with more states",
             ("Adam", {"amsgrad": True}), "cpu", other, 2, False),
            ("Adagrad", "another kind of optimizer", ("Adagrad", {}), "cpu", gpu, 2, True),
            ("there already", "nothing to move", adam, gpu, gpu, 2, False),
        ]
        return [
            Case(
                title,
                separates or title,
                {
                    "optimizer": kind,
                    "options": {"lr": 0.125, **options},
                    "start": start,
                    "device": device,
                    "steps_before": before,
                    "pending": pending,
                    "steps_after": 2,
                    "weights": [_some(rng, 2, 2), _some(rng, 2), _some(rng, 1, 2), _some(rng, 1)],
                    "x": _some(rng, 3, 2),
                },
                bool(separates),
            )
            for title, separates, (kind, options), start, device, before, pending in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data = case.data
        device = data["device"]
        if not facts["same_parameters"]:
            return ORPHANED.found("two different lists of parameters", "the net's parameters")
        finding = _judge_net(data, facts["net"])
        if finding is not None:
            return finding
        finding = _judge_states(data, facts["state_before"], facts["state"])
        if finding is not None:
            return finding
        if "raised" in facts:
            return TRAINING_DIFFERS.found(facts["raised"], f"two more steps on {device}")
        wanted = trained(data)
        if not _close([p["values"] for p in facts["trained"]], wanted):
            seen = [p["values"] for p in facts["trained"]]
            return TRAINING_DIFFERS.found(f"weights {seen[0]}", f"weights {wanted[0]}")
        return None

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        if raised.type == "AttributeError" and raised.text.endswith("has no attribute 'to'"):
            seen = f"{raised.type}: {raised.text}"
            return NO_TO.found(seen, f"net and states on {case.data['device']}")
        return None


def _judge_net(data: Mapping[str, Any], places: Sequence[Sequence[str]]) -> Finding | None:
    device = data["device"]
    away = sorted({place for _, place in places if place != device})
    if not away:
        return None
    kind = NET_LEFT if data["start"] in away else OTHER_DEVICE
    return kind.found(f"the net on {', '.join(away)}", f"the net on {device}")


def _judge_states(
    data: Mapping[str, Any], before: Sequence[Sequence[Any]], after: Sequence[Sequence[Any]]
) -> Finding | None:
    """Compare each state with what it was, in the place where it should be."""
    device = data["device"]
    now = {(name, entry): value for name, entry, value in after}
    for name, entry, old in before:
        new, label = now.get((name, entry)), f"{entry} of {name}"
        if new is None:
            return STATE_LOST.found(f"no {label}", f"{label} on {device}")
        wanted = device if old["shape"] else old["device"]
        if new["type"] != "Tensor":
            return STATE_CHANGED.found(f"{label}: {brief(new)}", f"a tensor on {wanted}")
        if new["device"] != wanted:
            kind = OTHER_DEVICE if new["device"] != old["device"] else STATE_LEFT
            kind = kind if old["shape"] else STEP_MOVED
            return kind.found(f"{label} on {new['device']}", f"{label} on {wanted}")
        if {**new, "device": ""} != {**old, "device": ""}:
            return STATE_CHANGED.found(f"{label}: {brief(new)}", brief(old))
    return None


def trained(data: Mapping[str, Any]) -> list[Any]:
    """The parameters after all steps, of a net that never left the CPU."""
    parameters = [nn.Parameter(torch.tensor(values)) for values in data["weights"]]
    w1, b1, w2, b2 = parameters
    half = data["options"]["lr"] / 2
    groups = [{"params": [w1, b1]}, {"params": [w2, b2], "lr": half}]
    optimizer = OPTIMIZERS[data["optimizer"]](groups, **data["options"], foreach=False)
    x = torch.tensor(data["x"])
    for _ in range(data["steps_before"] + data["pending"] + data["steps_after"]):
        optimizer.zero_grad()
        output = (x @ w1.t() + b1) @ w2.t() + b2
        (output**2).mean().backward()
        optimizer.step()
    return [parameter.tolist() for parameter in parameters]


def _close(seen: Any, wanted: Any) -> bool:
    if isinstance(wanted, list):
        same = isinstance(seen, list) and len(seen) == len(wanted)
        return same and all(_close(a, b) for a, b in zip(seen, wanted, strict=True))
    return math.isclose(seen, wanted, rel_tol=TOLERANCE, abs_tol=TOLERANCE)


def _some(rng: random.Random, *shape: int) -> Any:
    """Nested lists of quarters between -1 and 1, without zero."""
    if not shape:
        return rng.choice((-1, 1)) * rng.randint(1, 4) / 4
    return [_some(rng, *shape[1:]) for _ in range(shape[0])]
