"""`segment_chart`: a drawing of PyTorch's segments on a GPU against the limit of the process."""

from collections.abc import Mapping
from typing import Any

import torch

from course_utils.figures.picture import BLUE, INK, ORANGE, PANEL, SMALL, WIDTH, Picture
from course_utils.words import counted, size_of

USED, FREE, REFUSED = (BLUE, None), (PANEL, "////"), (ORANGE, "\\\\\\")
LEFT, TOP, TALL = 0.45, 1.0, 0.55


def segment_chart(snapshot: Mapping[str, Any], device: torch.device, allowed: int) -> Picture:
    """The segments of a memory snapshot side by side, the largest first.

    A stroke ends each segment. The last allocation that failed stands behind them. allowed: the
    limit of the process in bytes.
    """
    mine = [one for one in snapshot["segments"] if one["device"] == device.index]
    events = snapshot["device_traces"][device.index]
    refused = sum([one["size"] for one in events if one["action"] == "oom"][-1:])
    reserved, live = (sum(one[key] for one in mine) for key in ("total_size", "allocated_size"))
    scale = (WIDTH - 2 * LEFT) / max(reserved + refused, allowed)
    page = Picture(2.3, f"PyTorch's segments on {device}, against the limit", "counted")
    x = LEFT
    for one in sorted(mine, key=lambda one: -one["total_size"]):
        used, size = one["allocated_size"] * scale, one["total_size"] * scale
        x = page.bars(x, TOP, TALL, [(used, USED), (size - used, FREE)])
        page.line((x, TOP - 0.07), (x, TOP + TALL + 0.07), color=INK, linewidth=1)
    page.bars(x, TOP, TALL, [(refused * scale, REFUSED)])
    limit = LEFT + allowed * scale
    page.line((limit, TOP - 0.2), (limit, TOP + TALL + 0.1), color=INK, linewidth=2)
    room = f"{size_of(allowed)} allowed, {size_of(max(allowed - reserved, 0))} left"
    page.write(limit, TOP - 0.35, room, "right", size=SMALL, weight="bold")
    parts = {"in use": live, "free in segments": reserved - live, "failed request": refused}
    names = [f"{what}: {size_of(size)}" for what, size in parts.items()]
    page.legend(LEFT, TOP + TALL + 0.4, dict(zip(names, (USED, FREE, REFUSED), strict=True)))
    page.tell(f"{counted(len(mine), 'segment')}, {size_of(reserved)}; {', '.join(names)}. {room}.")
    return page
