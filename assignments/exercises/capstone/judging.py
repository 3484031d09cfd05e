"""What the judges of this topic share: which part of a batch is whose, and near numbers."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

import torch
from torch import Tensor

from exercise_kit.contract import Finding
from exercise_kit.text import clip


def shares(batch: Sequence[float], gpus: int) -> list[list[Any]]:
    """[device, tags] of each part of a batch of tags: whole where there is one GPU, or none."""
    if gpus < 2:
        return [["cuda:0" if gpus else "cpu", list(batch)]]
    parts = torch.tensor(batch).chunk(gpus)
    return [[f"cuda:{index}", part.tolist()] for index, part in enumerate(parts)]


def near(seen: Tensor, right: Tensor) -> bool:
    """Whether the shapes are equal, and all numbers within 0.1 % plus 0.0001."""
    return seen.shape == right.shape and torch.allclose(seen, right, rtol=1e-3, atol=1e-4)


def some_rows(count: int, width: int, rng: Random, spread: int = 3) -> list[list[float]]:
    """Samples that begin with a tag, 1 and up, in a drawn order."""
    rows = [
        [float(row + 1), *(float(rng.randint(-spread, spread)) for _ in range(width - 1))]
        for row in range(count)
    ]
    rng.shuffle(rows)
    return rows


def of_the_runs(
    runs: Sequence[Any], batches: Sequence[Sequence[float]], gpus: int, device: str = "cuda:0"
) -> Finding | None:
    """Whether each part of each batch was run once, in training mode, where it belongs."""
    wanted = [part for tags in batches for part in shares(tags, gpus)]
    if gpus == 1:
        wanted = [[device, tags] for _, tags in wanted]
    seen = [[place, tags] for place, tags, _ in runs]
    if not all(training for *_, training in runs):
        return Finding("evaluation-mode", "model.training is False", "a model in training mode")
    if sorted(seen) == sorted(wanted):
        return None
    used, meant = ({place for place, _ in parts} for parts in (seen, wanted))
    if not seen:
        name = "model-not-run"
    elif any(_hidden(place, gpus) for place in used - meant):
        name = "gpu-not-visible"
    elif used < meant or used == {"cpu"} != meant:
        name = "gpus-idle"
    elif len(seen) > len(wanted) and all(run in wanted for run in seen):
        name = "ran-more-than-once"
    else:
        name = "other-parts"
    shown = (
        ", ".join(f"{len(tags)} on {place}" for place, tags in parts) or "no run"
        for parts in (seen, wanted)
    )
    return Finding(name, *(clip(text, 160) for text in shown))


def _hidden(place: str, gpus: int) -> bool:
    return place != "cpu" and int(place.removeprefix("cuda:")) >= gpus


def of_the_steps(
    steps: Sequence[Mapping[str, Any]],
    batches: Sequence[Sequence[float]],
    gpus: int,
    device: str,
    inputs: int,
    outputs: int,
) -> Finding | None:
    """What was copied for a batch and need not have been.

    device: where the outputs are. inputs, outputs: how many numbers of 4 bytes a sample has.
    """
    # Of a loader that was not asked for more, the last step is not known.
    for number, (step, tags) in enumerate(zip(steps, batches, strict=False), start=1):
        wanted = {gpu: 4 * inputs * len(part) for gpu, part in shares(tags, gpus)}
        if gpus < 2:
            wanted = {device: 4 * inputs * len(tags)}
        wanted[device] += 4 * outputs * len(tags)
        if step["back"] or step["read"]:
            seen = f"batch {number}: {step['back']} bytes to the CPU, {step['read']} numbers read"
            return Finding("fetched-in-the-loop", seen, "nothing while there are batches to come")
        for gpu, count in step["to"].items():
            if count > wanted.get(gpu, 0):
                seen = f"batch {number}: {count} bytes from the CPU to {gpu}"
                whole = gpus > 1 and gpu == device
                name = "by-way-of-the-main-gpu" if whole else "copied-too-much"
                return Finding(name, seen, f"{wanted.get(gpu, 0)}: its samples and targets")
    return None
