"""Judge `parallel.parallel_forward`.

The oracle computes result and gradients with the whole batch at once, on the CPU; small whole
numbers make both exact. `torch.chunk` says which samples belong on which GPU.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import torch

from course_utils.checking.contract import Case, Facts, Finding, FindingKind, Judge, Raise
from course_utils.checking.facts import brief

WRAPPER = FindingKind(
    name="wrapper-used",
    title="`DataParallel` did the work",
    explanation="That is right, and hides the four phases. Here they are to be seen.",
    next_step="Write the four calls yourself: scatter, replicate, apply, gather.",
)
NO_TENSOR = FindingKind(
    name="no-tensor",
    title="the function returned no tensor",
    explanation="The gathered output is the result: one tensor for the whole batch.",
    next_step="Return what gathering gives you.",
)
MODULE_CHANGED = FindingKind(
    name="module-changed",
    title="the module is not what it was before",
    explanation="Its parameters and buffers stay where they are and as they are. `module.to(…)` "
    "moves the module itself, so that one module cannot be on several GPUs.",
    next_step="Make a copy for each GPU, and leave the original on the first.",
)
INPUT_CHANGED = FindingKind(
    name="input-changed",
    title="the batch or the list of devices was changed",
    explanation="Both belong to whoever called.",
    next_step="Build new tensors and new lists.",
)
ELSEWHERE = FindingKind(
    name="part-met-other-device",
    title="a part met a module on another GPU",
    explanation="Each part needs a replica on its own GPU: parameters and buffers as well as the "
    "samples.",
    next_step="Send part number `i` and the tensors of replica number `i` to `devices[i]`.",
)
TOO_MANY = FindingKind(
    name="more-replicas-than-parts",
    title="there are fewer parts than GPUs",
    explanation="A small batch is used up before the GPUs are. Then fewer replicas are needed, one "
    "for each part.",
    next_step="Scatter first, count the parts, and take only as many devices.",
)
NOT_SPLIT = FindingKind(
    name="not-split",
    title="one GPU did all the work",
    explanation="The result is right, and the others had nothing to do. Each of the devices gets "
    "its part of the batch.",
    next_step="Cut the batch with `chunk`, or let `scatter` do it.",
)
OTHER_PARTS = FindingKind(
    name="other-parts",
    title="the batch was cut in another way",
    explanation="`DataParallel` cuts with `torch.chunk`: parts of one length, and a last one with "
    "what remains.",
    next_step="Use `x.chunk(len(devices))` or `scatter`.",
)
OTHER_GPU = FindingKind(
    name="other-gpu",
    title="the parts ran on other GPUs",
    explanation="The first part belongs to `devices[0]`, the second to `devices[1]`, and so on.",
    next_step="Go through parts and devices side by side.",
)
LOST = FindingKind(
    name="samples-lost",
    title="the result has another number of rows than the batch",
    explanation="Every sample has its row, also those of the last, shorter part.",
    next_step="Gather the outputs of all parts, one under the other.",
)
ORDER = FindingKind(
    name="order-changed",
    title="the rows are in another order",
    explanation="Row `i` of the result belongs to sample `i`. So the parts are joined in the order "
    "in which they were cut, whichever is done first.",
    next_step="Keep the outputs in a list, in the order of the parts.",
)
RESULT_ELSEWHERE = FindingKind(
    name="result-elsewhere",
    title="the result is not on the first device",
    explanation="The outputs are gathered on `devices[0]`, the main GPU.",
    next_step="Bring every output there before they are joined.",
)
OTHER_RESULT = FindingKind(
    name="other-result",
    title="the result is not what the module computes",
    explanation="Splitting changes no value: row by row it is what the module gives for the batch "
    "as a whole.",
    next_step="Compare with `module(x.to(devices[0]))`.",
)
CUT = FindingKind(
    name="gradients-lost",
    title="no gradient reaches the module",
    explanation="A replica made by `copy.deepcopy` has parameters of its own, and its gradients "
    "stay with them. `detach` and `no_grad` cut the way back as well.",
    next_step="Make copies that autograd records: `torch.nn.parallel.replicate`, or "
    "`parameter.to(device)` together with `torch.func.functional_call`.",
)
PARTIAL = FindingKind(
    name="gradients-of-one-part",
    title="only some of the parts send their gradients back",
    explanation="The gradient of the module is the sum over all parts. Here some replicas keep "
    "theirs to themselves.",
    next_step="Treat all replicas alike, with copies that autograd records.",
)
BACKWARD = FindingKind(
    name="backward-called",
    title="the gradients are there already",
    explanation="The function computes the forward pass only. Whoever called has the loss, and "
    "calls `backward()`; gradients of two calls add up.",
    next_step="Return the gathered output, and leave the way back to the caller.",
)


class ParallelForward(Judge):
    """Looks at module and input first, then at parts, result and gradients."""

    name = "parallel.parallel_forward"
    findings = (
        WRAPPER,
        NO_TENSOR,
        MODULE_CHANGED,
        INPUT_CHANGED,
        ELSEWHERE,
        TOO_MANY,
        NOT_SPLIT,
        OTHER_PARTS,
        OTHER_GPU,
        LOST,
        ORDER,
        RESULT_ELSEWHERE,
        OTHER_RESULT,
        CUT,
        PARTIAL,
        BACKWARD,
    )
    hints = (
        "Four lines, one for each phase: scatter the batch, replicate the module, apply each "
        "replica to its part, gather the outputs on the first device.",
        "`scatter(x, devices)` gives the parts, and there may be fewer than devices. "
        "`replicate(module, some_devices)` makes copies that autograd records; "
        "`parallel_apply(replicas, parts)` runs them; `gather(outputs, device)` joins.",
        "`devices[:len(parts)]` are the devices that have something to do. The other way, without "
        "these functions: `{name: p.to(device) for name, p in module.named_parameters()}` is a "
        "replica for `torch.func.functional_call`; buffers belong to it too.",
        "A similar case: several printers print one document.\n"
        "```python\n"
        "def print_all(pages, printers):\n"
        "    size = -(-len(pages) // len(printers))\n"
        "    parts = [pages[i:i + size] for i in range(0, len(pages), size)]   # scatter\n"
        "    busy = printers[:len(parts)]                       # no more than there are parts\n"
        "    sheets = [printer(part) for printer, part in zip(busy, parts)]    # apply\n"
        "    return [sheet for part in sheets for sheet in part]               # gather, in order\n"
        "```",
    )

    def cases(self, rng: random.Random) -> Sequence[Case]:
        every = [0, 1, 2, 3]
        shuffled = rng.sample(every, 4)
        while shuffled[1:] == sorted(shuffled[1:]):
            shuffled = rng.sample(every, 4)
        low, high = rng.sample(range(1, 4), 2)
        drawn: list[tuple[str, str, str, int, list[int], str]] = [
            ("4 samples on 2 GPUs", "", "linear", 4, [0, 1], "cuda:0"),
            ("16 samples on 4 GPUs", "", "linear", 16, every, "cuda:0"),
            ("10 samples from the CPU on 4 GPUs", "", "linear", 10, every, "cpu"),
            ("5 samples on 4 GPUs", "", "linear", 5, every, "cpu"),
            ("a main GPU that is not number 0", "another main GPU",
             "linear", rng.randint(6, 9), [low, 0, high], "cpu"),
            ("GPUs in any order", "GPUs in another order",
             "deep", rng.randint(9, 15), shuffled, f"cuda:{low}"),
            ("a module with a buffer", "a module with a buffer",
             "shifted", rng.randint(6, 11), [high, low], "cpu"),
            ("fewer samples than GPUs", "fewer samples than GPUs",
             "shifted", rng.randint(2, 3), every, "cuda:0"),
            ("a single sample", "a single sample", "linear", 1, [high, 0], "cpu"),
            ("one GPU", "a single GPU", "deep", rng.randint(3, 8), [low], "cpu"),
            ("parts of very different size", "a last part that is much shorter",
             "deep", 10, [low, 0, high, *({1, 2, 3} - {low, high})], f"cuda:{high}"),
        ]
        return [
            Case(title, separates or title, _draw(rng, kind, rows, gpus, place), bool(separates))
            for title, separates, kind, rows, gpus, place in drawn
        ]

    def judge(self, case: Case, facts: Facts) -> Finding | None:
        data, seen = case.data, facts["result"]
        right, gradients = outcome(data)
        if facts["wrapped"]:
            return WRAPPER.found("a call of DataParallel", "scatter, replicate, apply, gather")
        if not facts["module_kept"]:
            return MODULE_CHANGED.found("a changed module", f"all of it on cuda:{data['gpus'][0]}")
        if not facts["input_kept"]:
            return INPUT_CHANGED.found("changed inputs", "x and devices as they were")
        if seen["type"] != "Tensor":
            return NO_TENSOR.found(brief(seen), brief(right))
        if facts["has_gradients"]:
            return BACKWARD.found("parameters with gradients", "parameters without gradients")
        return (
            _of_the_parts(facts["runs"], data)
            or _of_the_result(seen, right)
            or _of_the_gradients(facts["gradients"], gradients)
        )

    def on_raise(self, case: Case, raised: Raise) -> Finding | None:
        seen = f"{raised.type}: {raised.text.splitlines()[0] if raised.text else ''}"[:200]
        lengths = ("is not equal to the number of inputs", "shorter than argument", "longer than")
        if any(words in raised.text for words in lengths) or raised.type == "IndexError":
            return TOO_MANY.found(seen, f"{len(parts(case.data))} parts")
        if "on the same device" in raised.text or "same GPU" in raised.text:
            return ELSEWHERE.found(seen, "each part with a replica on its GPU")
        return None


def _draw(
    rng: random.Random, kind: str, rows: int, gpus: list[int], place: str
) -> dict[str, Any]:
    """A module of small whole numbers with a batch whose rows all differ."""

    def numbers(*shape: int) -> Any:
        if not shape:
            return float(rng.choice((-2, -1, 1, 2)))
        return [numbers(*shape[1:]) for _ in range(shape[0])]

    x = [[float(row + 1), *numbers(2)] for row in range(rows)]
    rng.shuffle(x)
    weight, bias, shift = numbers(2, 3), numbers(2), numbers(3)
    return {"kind": kind, "weight": weight, "bias": bias, "shift": shift, "x": x, "gpus": gpus,
            "place": place}  # fmt: skip


def parts(data: Mapping[str, Any]) -> list[list[Any]]:
    """For each part: its GPU, how many samples it has, and the tag of the first of them."""
    cut = torch.tensor([row[0] for row in data["x"]]).chunk(len(data["gpus"]))
    gpus = (f"cuda:{gpu}" for gpu in data["gpus"])
    return [[gpu, len(part), part[0].item()] for gpu, part in zip(gpus, cut, strict=False)]


def outcome(data: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any]]:
    """The result as it should be described, and the gradients of the sum of its squares."""
    weight = torch.tensor(data["weight"], requires_grad=True)
    bias = torch.tensor(data["bias"], requires_grad=True)
    x = torch.tensor(data["x"])
    if data["kind"] == "shifted":
        x = x + torch.tensor(data["shift"])
    y = x @ weight.T + bias
    if data["kind"] == "deep":
        y = y.relu()
    y.square().sum().backward()
    described = {
        "type": "Tensor",
        "dtype": "float32",
        "shape": list(y.shape),
        "device": f"cuda:{data['gpus'][0]}",
        "values": y.tolist(),
    }
    return described, [weight.grad.tolist(), bias.grad.tolist()]


def _of_the_parts(seen: Sequence[Sequence[Any]], data: Mapping[str, Any]) -> Finding | None:
    """The module notes where it runs, on how many samples, and the tag of the first."""
    wanted = parts(data)
    if sorted(seen) == sorted(wanted):  # replicas may run in any order
        return None
    if len(seen) == 1:
        kind = NOT_SPLIT
    elif sorted(run[1:] for run in seen) != sorted(run[1:] for run in wanted):
        kind = OTHER_PARTS
    else:
        kind = OTHER_GPU
    return kind.found(_told(seen), _told(wanted))


def _of_the_result(seen: Mapping[str, Any], right: Mapping[str, Any]) -> Finding | None:
    values, wanted = seen.get("values"), right["values"]
    if seen["shape"][:1] != right["shape"][:1]:
        return LOST.found(f"shape {tuple(seen['shape'])}", f"shape {tuple(right['shape'])}")
    if values != wanted and sorted(map(str, values or [])) == sorted(map(str, wanted)):
        return ORDER.found(brief(seen), brief(right))
    if seen["device"] != right["device"]:
        return RESULT_ELSEWHERE.found(f"on {seen['device']}", f"on {right['device']}")
    return None if seen == right else OTHER_RESULT.found(brief(seen), brief(right))


def _of_the_gradients(seen: Sequence[Any], right: Sequence[Any]) -> Finding | None:
    if seen == right:
        return None
    lost = all(gradient is None for gradient in seen)
    return (CUT if lost else PARTIAL).found(f"gradients {seen}"[:160], f"{right}"[:160])


def _told(runs: Sequence[Sequence[Any]]) -> str:
    each = [f"{size} samples on {place}" for place, size, _ in runs]
    return ", ".join(each)[:200] or "no call of the module"
