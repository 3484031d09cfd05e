"""The process in which programs run: ``python -m conformance.worker WORLD COUNT RESULTS NAME…``.

Writes one JSON line per program to the file RESULTS as soon as it is done, because a program may
take the process with it.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import torch

from .programs import PROGRAMS
from .registry import observe
from .worlds import WORLDS, start_alike


def main(world_name: str, device_count: int, results: Path, names: list[str]) -> None:
    """Run programs one after the other in one world."""
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    world = WORLDS[world_name]
    world.switch_on(device_count)
    with results.open("a", encoding="utf-8") as lines:
        for name in names:
            if len(names) > 1:  # a program alone may want to see CUDA's very start
                start_alike(world.has_cuda, device_count)
            program = PROGRAMS[name]
            with world.around():
                facts = observe(program.run, world.devices(program.needs_devices))
            print(json.dumps({"name": name, "facts": facts}), file=lines, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4:])
