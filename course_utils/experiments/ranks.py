"""Run a small function in several processes at once, as the ranks of one process group.

Each rank is a new Python process on the CPU, joined to the others by gloo. They meet through a
file, and talk over this computer's own loopback, so that no network is needed.
"""

import inspect
import json
import os
import socket
import subprocess
import sys
import tempfile
import textwrap
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from course_utils.errors import CourseError

_PROGRAM = """\
import json
import sys
import time
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.nn.parallel import DistributedDataParallel as DDP

{source}

rank, count, meeting = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
torch.set_num_threads(1)
dist.init_process_group("gloo", init_method=meeting, rank=rank, world_size=count)
try:
    result = {name}(rank)
except Exception as error:
    # The other ranks fail as well when this one is gone: the earliest error is the cause.
    told = {{"at": time.time(), "rank": rank, "text": f"{{type(error).__name__}}: {{error}}"}}
    Path(sys.argv[4] + ".error").write_text(json.dumps(told), encoding="utf-8")
    raise
finally:
    dist.destroy_process_group()
Path(sys.argv[4]).write_text(json.dumps(result), encoding="utf-8")
"""


def run_ranks(function: Callable[[int], Any], count: int = 2, seconds: float = 60.0) -> list[Any]:
    """Call `function(rank)` in `count` processes of one process group, and return what they return.

    The source of `function` is copied into a script, so that it works from a notebook, and nothing
    else goes along: it may use `torch`, `nn`, `dist` (`torch.distributed`),
    `DistributedDataParallel` and `DDP`, and has to return JSON values. No process and no file is
    left behind.

    Raises CourseError if a rank fails or is not done after `seconds`; the text says what it said.
    """
    source = textwrap.dedent(inspect.getsource(function))
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "rank.py")
        script.write_text(_PROGRAM.format(source=source, name=function.__name__), encoding="utf-8")
        meeting = Path(folder, "meeting").as_uri()
        processes: list[subprocess.Popen[str]] = []
        try:
            for rank in range(count):
                told = [str(rank), str(count), meeting, str(Path(folder, f"{rank}.json"))]
                processes.append(_start([sys.executable, str(script), *told], folder, rank))
            _wait_for(processes, folder, seconds)
        finally:
            for process in processes:
                process.kill()  # does nothing to a process that has ended
                process.wait()
        results = (Path(folder, f"{rank}.json") for rank in range(count))
        return [json.loads(path.read_text(encoding="utf-8")) for path in results]


def _start(command: Sequence[str], folder: str, rank: int) -> subprocess.Popen[str]:
    with open(_log(folder, rank), "w", encoding="utf-8") as log:
        return subprocess.Popen(
            command, cwd=folder, env=_environment(), stdin=subprocess.DEVNULL, stdout=log,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip


def _environment() -> dict[str, str]:
    """That of this process, with gloo told to use the loopback where it has its usual name."""
    names = [name for _, name in socket.if_nameindex()] if hasattr(socket, "if_nameindex") else []
    loopback = next((name for name in ("lo", "lo0") if name in names), None)
    return {**os.environ, **({"GLOO_SOCKET_IFNAME": loopback} if loopback else {})}


def _wait_for(
    processes: Sequence[subprocess.Popen[str]], folder: str, seconds: float
) -> None:
    """Return when all have ended well. The first that fails ends the wait: others hang on it."""
    deadline = time.monotonic() + seconds
    while any(process.poll() is None for process in processes):
        if any(process.returncode for process in processes):
            break
        if time.monotonic() > deadline:
            raise CourseError(
                f"The processes were not done after {seconds:g} seconds: does every rank take "
                "part in every exchange?"
            )
        time.sleep(0.05)
    if any(process.returncode for process in processes):
        raise CourseError(_failure(processes, folder))


def _failure(processes: Sequence[subprocess.Popen[str]], folder: str) -> str:
    """Which rank failed first, and what it said."""
    errors = [json.loads(path.read_text("utf-8")) for path in Path(folder).glob("*.error")]
    if errors:
        first = min(errors, key=lambda error: error["at"])
        return f"Rank {first['rank']} of {len(processes)} failed: {first['text']}"
    rank = next(i for i, process in enumerate(processes) if process.returncode)
    said = _log(folder, rank).read_text(encoding="utf-8", errors="replace").strip()
    last = said.splitlines()[-1] if said else f"exit code {processes[rank].returncode}"
    return f"Rank {rank} of {len(processes)} failed: {last}"


def _log(folder: str, rank: int) -> Path:
    return Path(folder, f"{rank}.log")
