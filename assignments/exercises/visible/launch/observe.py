"""Observe `launch`: real programs, on a virtual server with a slow card in the first slot."""

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from functools import cache
from typing import Any
from unittest import mock

from course_utils.experiments.children import run_child
from exercise_kit import Facts, Observer
from virtual_cuda import card
from virtual_cuda.hardware.profiles import assemble

CARDS = ("T4", "A100", "A100", "A100")
UUIDS = [one.uuid for one in assemble([card(name) for name in CARDS])]
VARIABLES = ("CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER")
PROGRAM = """
import torch
x = torch.ones(2, device={device!r})
print(torch.cuda.device_count(), torch.cuda.get_device_properties(x.device).uuid)
"""

LEAVE = """
from pathlib import Path
from virtual_cuda.nvidia.command import leave_nvidia_smi
print(leave_nvidia_smi(Path({folder!r})))
"""


class Launch(Observer):
    """Facts: the number of `started` programs; of the last one, the `card` with its tensor, as a
    number of nvidia-smi, or "none" and why; how many cards it has `seen`; and whether its output
    was `printed` into the result. kept: whether it had this process's other variables. touched:
    whether the environment of this process has changed.
    """

    in_processes = True
    gpus = 0

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The data of the case."""
        return dict(data)

    def observe(self, answer: Any, inputs: Any) -> Facts:
        """The facts of one call, in which `subprocess` starts a warm Python."""
        for name in VARIABLES:
            os.environ.pop(name, None)  # the world of the check restores them
        if inputs["here"]:
            os.environ[VARIABLES[0]] = inputs["here"]
        os.environ["PATH"] = os.pathsep.join([nvidia_smi(), os.environ.get("PATH", os.defpath)])
        before, outputs, start = dict(os.environ), list[str](), subprocess.Popen.__init__
        others = before.items() - {(name, before.get(name)) for name in VARIABLES}
        kept = True

        def begin(process: Any, command: Any, *args: Any, **options: Any) -> None:
            nonlocal kept
            environ = options.get("env") or os.environ
            kept = others <= dict(environ).items()
            chosen = {name: environ.get(name) for name in VARIABLES}
            words = command.split() if isinstance(command, str) else [*map(str, command)]
            if words[0].rpartition("/")[2] == "env":
                del words[0]
            while "=" in words[0]:  # NAME=VALUE, in a command of the shell or of env
                name, _, chosen[name] = words.pop(0).partition("=")
            if words[0].rpartition("/")[2].startswith("python"):
                program = PROGRAM.format(device=words[-1])
                with mock.patch.object(subprocess.Popen, "__init__", start):
                    outputs.append(run_child(program, cards=CARDS, **chosen))
                command = ["/bin/sh", "-c", "printf '%s\\n' \"$0\"", outputs[-1]]
                options |= {"shell": False, "executable": None}
                options = {"stdout": subprocess.DEVNULL} | options  # not to the terminal
            start(process, command, *args, **options)

        with mock.patch.object(subprocess.Popen, "__init__", begin):
            result = answer("job.py", inputs["card"])
        facts = {"started": len(outputs), "kept": kept, "touched": dict(os.environ) != before}
        return facts | (found(outputs[-1], result) if outputs else {})


@cache
def nvidia_smi() -> str:
    """A folder with an nvidia-smi that shows the server; it is removed when this process ends."""
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return run_child(LEAVE.format(folder=folder), cards=CARDS).splitlines()[-1]


def found(printed: str, result: Any) -> dict[str, Any]:
    """The facts of a program, from its output and the answer's result."""
    count, _, uuid = printed.splitlines()[-1].partition(" ") if printed else ("", "", "")
    if f"GPU-{uuid}" not in UUIDS:
        errors = [line for line in printed.splitlines() if "Error: " in line]
        return {"card": f"none: {errors[0] if errors else printed}"}
    here = isinstance(result, str) and printed.strip() in result
    return {"card": f"GPU {UUIDS.index(f'GPU-{uuid}')}", "seen": int(count), "printed": here}


observer = Launch()
observer.parameters = ("program", "card")
