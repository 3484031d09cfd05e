"""`memory_of` and `step_chart`: what fills a GPU's memory in the course of training steps."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from matplotlib.axes import Axes
from torch import Tensor, nn

from course_utils.figures.picture import (
    BLUE,
    INK,
    NOTE,
    ORANGE,
    PAPER,
    SMALL,
    WIDTH,
    BarStyle,
    Picture,
)
from course_utils.words import listed, size_of

MiB = 2**20
GATHERED = "gathered"
KINDS: Mapping[str, BarStyle] = {
    "parameters": ("#4d7ea8", None),
    "states": ("#b9d7a8", "xx"),
    GATHERED: (BLUE, "---"),
    "gradients": (ORANGE, "\\\\\\"),
    "activations": (PAPER, "..."),
    "temporaries": ("#e3b5c8", "||"),
}
BOLD: Mapping[str, Any] = {"fontsize": SMALL, "weight": "bold"}
Levels = tuple[list[dict[str, int]], list[int]]
"""The bytes of each kind after each event of a step, and the first event of each phase."""
PHASES = ("forward", "backward", "optimizer")
DRAWN = 2**17
"""The size in bytes of the smallest block whose allocation and release are levels of their own."""


@dataclass
class _Step:
    """The events of a step on the GPU, in the allocator's trace.

    before: the bytes of each kind at the start. ends: the numbers of events after forward, backward
    and the optimizer's step.
    """

    before: Mapping[str, int]
    events: Sequence[Mapping[str, Any]] = ()
    ends: list[int] = field(default_factory=list)


def memory_of(
    loss_of: Callable[[nn.Module], Tensor], model: nn.Module, optimizer: torch.optim.Optimizer
) -> Levels:
    """Make two training steps. Returns the memory on the current GPU in the course of the second.

    loss_of: computes the loss of the model. The optimizer has its states after the first step.
    Activations are what the forward pass allocates, in `backward` too if it runs there again.
    A rank that shards its model has parameters of its own, and others that it gathers for a while.
    """
    loss_of(model).backward()
    optimizer.step()
    optimizer.zero_grad()
    return _levels(_record(loss_of, model, optimizer))


def step_chart(steps: Mapping[str, Levels], *, title: str) -> Picture:
    """A picture of the memory in training steps, next to each other, on one scale.

    steps: what `memory_of` found, by the name of the step.
    """
    page = Picture(3.55, title, "counted")
    gathered = any(level[GATHERED] for levels, _ in steps.values() for level in levels)
    kinds = [kind for kind in KINDS if gathered or kind != GATHERED]
    page.legend(0.3, 0.68, {kind: KINDS[kind] for kind in kinds[:5]})
    page.legend(6.2, 0.98, {kind: KINDS[kind] for kind in kinds[5:]})
    page.write(0.3, 1.0, "MiB in use", size=SMALL)
    most = max(sum(level.values()) for levels, _ in steps.values() for level in levels) / MiB
    width = (WIDTH - 0.8) / len(steps)
    for number, (name, (levels, starts)) in enumerate(steps.items()):
        axes = page.chart(0.6 + number * width, 1.35, width - 0.1, 1.7)
        axes.set(xlim=(0, len(levels) - 1), ylim=(0, 1.36 * most), xticks=[])
        if number:
            axes.tick_params(labelleft=False, length=0)
        page.write(0.6 + number * width, 1.2, name, weight="bold", size=SMALL)
        place, peak = _areas(axes, levels)
        for phase, start in zip(PHASES, starts, strict=True):
            axes.vlines(start, 0, 1.36 * most, color=INK, linewidth=0.8, linestyle=(0, (4, 2)))
            if width > 3:
                gap, narrow = len(levels) / 150, start > 0.85 * (len(levels) - 1)
                x, side = (start - gap, "right") if narrow else (start + gap, "left")
                row = 1.3 if phase == "backward" else 1.19  # a phase can be short
                axes.text(x, row * most, phase, fontsize=SMALL, va="center", ha=side)
        reached = PHASES[sum(start <= place for start in starts) - 1]
        peak_in = reached.replace("optimizer", "optimizer.step")
        axes.set_xlabel(f"peak in {peak_in}" if width > 2 else f"in {peak_in}", fontsize=SMALL)
        side = ("left", "center", "right")[int(3 * place / len(levels))]
        axes.text(place, peak + 0.04 * most, size_of(round(peak * MiB)), ha=side, **BOLD)
        filled = listed(f"{kind} {size_of(levels[place][kind])}" for kind in kinds)
        page.tell(
            f"{name}: memory in use in a training step. The peak is {size_of(round(peak * MiB))}, "
            f"in {peak_in}: {filled}. At the end {size_of(sum(levels[-1].values()))} stay in use."
        )
    page.write(WIDTH - 0.2, 3.4, "from left to right: allocations and releases", "right", **NOTE)
    return page


def _areas(axes: Axes, levels: Sequence[Mapping[str, int]]) -> tuple[int, float]:
    """Draw an area for each kind. Returns the place of the peak, and its MiB."""
    bottom, places = [0.0] * len(levels), range(len(levels))
    for kind, (fill, hatch) in KINDS.items():
        above = [low + level[kind] / MiB for low, level in zip(bottom, levels, strict=True)]
        area = axes.fill_between(places, bottom, above, step="post", linewidth=0.4)
        area.set(facecolor=fill, edgecolor=INK, hatch=hatch)
        bottom = above
    place, peak = bottom.index(max(bottom)), max(bottom)
    axes.plot([place], [peak], marker="v", color=INK, markersize=5)
    return place, peak


def _record(
    loss_of: Callable[[nn.Module], Tensor], model: nn.Module, optimizer: torch.optim.Optimizer
) -> _Step:
    parameters = [_local(each) for each in model.parameters()]
    states = [_local(each) for of in optimizer.state.values() for each in of.values()]
    sizes = (parameters, [each for each in states if each.is_cuda])
    before = dict.fromkeys(KINDS, 0)
    for kind, tensors in zip(KINDS, sizes, strict=False):
        before[kind] = sum(_rounded(each.untyped_storage().nbytes()) for each in tensors)
    step = _Step(before)
    torch.cuda.memory._record_memory_history(stacks="python", clear_history=True)
    try:
        loss = loss_of(model)
        step.ends.append(len(_trace()))
        loss.backward()
        step.ends.append(len(_trace()))
        del loss
        optimizer.step()
        optimizer.zero_grad()
        step.events = _trace()
        step.ends.append(len(step.events))
    finally:
        torch.cuda.memory._record_memory_history(enabled=None)
    return step


def _rounded(size: int) -> int:
    """The bytes that the allocator takes for a request."""
    return -(-size // 512) * 512


def _local(tensor: Tensor) -> Tensor:
    """The part of a tensor on this rank."""
    part: Tensor = getattr(tensor, "_local_tensor", tensor).detach()
    return part


def _trace() -> Sequence[Mapping[str, Any]]:
    found: Sequence[Mapping[str, Any]] = torch.cuda.memory._snapshot()["device_traces"][
        torch.cuda.current_device()
    ]
    return found


def _levels(step: _Step) -> Levels:
    """The bytes of each kind after each large event, and the number of the first in each phase.

    The highest level is one of them, also if a small event reaches it.
    """
    now, kinds = dict(step.before), _kinds(step)
    levels, starts, held = [dict(now)], [0], dict[int, tuple[str, int]]()
    top, place = dict(now), 0
    for number, event in enumerate(step.events):
        if number in step.ends[:-1]:
            starts.append(len(levels))
        if event["action"] == "alloc":
            held[event["addr"]] = kinds[number], _rounded(event["size"])
            now[kinds[number]] += _rounded(event["size"])
        elif event["action"] == "free_completed" and event["addr"] in held:
            kind, size = held.pop(event["addr"])
            now[kind] -= size
        else:
            continue  # another event, or a tensor from before the step
        if sum(now.values()) > sum(top.values()):
            top, place = dict(now), len(levels)
        if event["size"] >= DRAWN:
            levels.append(dict(now))
    levels.insert(place, top)
    starts = [start + (start > place) for start in starts]
    return [*levels, dict(now)], starts + [len(levels)] * (len(PHASES) - len(starts))


def _kinds(step: _Step) -> dict[int, str]:
    """The kind of each allocation, by the number of its event."""
    forward, backward, _ = step.ends
    kinds, left = {}, dict[int, int]()  # left: by address, what backward has allocated and keeps
    for number, event in enumerate(step.events):
        if forward <= number < backward and event["action"] == "free_completed":
            left.pop(event["addr"], None)
        if event["action"] != "alloc":
            continue
        called = {frame["name"] for frame in event.get("frames", ())}
        if called & {"alloc_all_gather_outputs", "unshard"}:  # of FSDP2
            kinds[number] = GATHERED
        elif number < forward or "recompute_fn" in called:  # of checkpoint
            kinds[number] = "activations"
        else:
            kinds[number] = "temporaries"
            if number < backward:
                left[event["addr"]] = number
    return kinds | dict.fromkeys(left.values(), "gradients")
