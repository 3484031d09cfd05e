"""`segment_chart`: a drawing of PyTorch's segments on a GPU against the limit of the process."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import torch

from course_utils.figures.picture import BLUE, INK, ORANGE, PANEL, SMALL, WIDTH, Picture
from course_utils.words import counted, size_of

USED, FREE, REFUSED = (BLUE, None), (PANEL, "////"), (ORANGE, "\\\\\\")
LEFT, TOP, TALL = 0.45, 1.0, 0.55


def segment_chart(snapshot: Mapping[str, Any], device: torch.device, allowed: int) -> Picture:
    """The segments of a memory snapshot side by side, the largest first.

    Segments of the same size are counted. The last allocation that failed stands behind them.
    allowed: the limit of the process in bytes.
    """
    mine = [one for one in snapshot["segments"] if one["device"] == device.index]
    events = snapshot["device_traces"][device.index]
    refused = sum([one["size"] for one in events if one["action"] == "oom"][-1:])
    reserved, live = (sum(one[key] for one in mine) for key in ("total_size", "allocated_size"))
    scale = (WIDTH - 2 * LEFT) / max(reserved + refused, allowed)
    page = Picture(2.6, f"PyTorch's segments on {device}, against the limit", "counted")
    x = LEFT
    for one in sorted(mine, key=lambda one: (-one["total_size"], -one["allocated_size"])):
        used, size = one["allocated_size"] * scale, one["total_size"] * scale
        x = page.bars(x, TOP, TALL, [(used, USED), (size - used, FREE)])
        page.line((x, TOP - 0.07), (x, TOP + TALL + 0.07), color=INK, linewidth=1)
    page.bars(x, TOP, TALL, [(refused * scale, REFUSED)])
    x, below, groups = LEFT, TOP + TALL + 0.16, list[str]()
    for size, number in sorted(Counter(one["total_size"] for one in mine).items(), reverse=True):
        end = x + number * size * scale
        page.line((x + 0.03, below), (end - 0.03, below), color=INK, linewidth=1.6)
        groups.append(f"{number} of {size_of(size)}")
        page.write((x + end) / 2, below + 0.17, groups[-1], "center", size=SMALL)
        x = end
    limit = LEFT + allowed * scale
    page.line((limit, TOP - 0.2), (limit, TOP + TALL + 0.1), color=INK, linewidth=2)
    room = f"limit: {size_of(allowed)}, {size_of(max(allowed - reserved, 0))} left"
    page.write(limit, TOP - 0.35, room, "right", size=SMALL, weight="bold")
    free = [b["size"] for one in mine for b in one["blocks"] if b["state"] == "inactive"]
    names = [
        f"in use: {size_of(live)}",
        f"free: {size_of(reserved - live)}, largest piece {size_of(max(free, default=0))}",
        f"failed request: {size_of(refused)}",
    ]
    page.legend(LEFT, TOP + TALL + 0.8, dict(zip(names, (USED, FREE, REFUSED), strict=True)))
    page.tell(f"{counted(len(mine), 'segment')}, {size_of(reserved)}: {', '.join(groups)}.")
    page.tell(f"{'; '.join(names)}. {room}.")
    return page
