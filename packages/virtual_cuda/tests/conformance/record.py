"""Records a real GPU: ``python -m conformance.record``.

Needs CUDA and torch, nothing else; works with any number of GPUs and says which programs it could
not record with those.
"""

from __future__ import annotations

import platform
import shutil
import subprocess
import sys

import torch

from .programs import PROGRAMS
from .recording import Recording, describe, load_all
from .runner import run, unrunnable


def main() -> int:
    """Record this machine; 0 if it was done, 1 if there is nothing to record."""
    if not torch.cuda.is_available():
        print("Nothing was recorded: torch sees no CUDA device on this machine.")
        print(describe(load_all()))
        return 1
    virtual_cuda = sys.modules.get("virtual_cuda")
    if virtual_cuda is not None and virtual_cuda.is_enabled():
        print("Nothing was recorded: the GPUs of this process are virtual.")
        return 1
    count = torch.cuda.device_count()
    reasons = {name: unrunnable(program, count) for name, program in PROGRAMS.items()}
    runnable = [program for name, program in PROGRAMS.items() if reasons[name] is None]
    facts = run(runnable, "cuda", count, at_once=1)
    not_recorded = {name: reason for name, reason in reasons.items() if reason}
    for name in list(facts):
        failed = facts[name].get("failed", {})
        if failed.get("type") == "process":  # no facts: its process died or never ended
            not_recorded[name] = failed["text"]
            del facts[name]
    recording = Recording(
        gpus=[torch.cuda.get_device_name(index) for index in range(count)],
        driver=driver_version(),
        torch=torch.__version__,
        cuda=str(torch.version.cuda),
        python=platform.python_version(),
        system=platform.system(),
        facts=facts,
        not_recorded=not_recorded,
    )
    path = recording.save()
    print(f"Recorded {recording.title} (recordings/{path.name}).")
    for name, reason in not_recorded.items():
        print(f"not recorded: {name}: {reason}")
    disagreements = recording.disagreements(PROGRAMS.values())
    for text in disagreements:
        print(f"other than authored: {text}")
    print(f"{len(not_recorded)} not recorded, {len(disagreements)} other than authored.")
    return 0


def driver_version() -> str:
    """The NVIDIA driver's version, or "unknown"."""
    command = shutil.which("nvidia-smi")
    if command is None:
        return "unknown"
    query = [command, "--query-gpu=driver_version", "--format=csv,noheader"]
    lines = subprocess.run(query, capture_output=True, text=True).stdout.split()
    return lines[0] if lines else "unknown"


if __name__ == "__main__":
    sys.exit(main())
