"""Observe `take_cards` of train.py: a new process calls it on a virtual server, before CUDA."""

import json
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from course_utils.experiments.fork_server import start_program
from course_utils.program.holes import before, parts, put
from course_utils.program.observer import HoleObserver, environment
from exercise_kit import Facts, Finding, Observer
from exercise_kit.contract import NotFit
from exercise_kit.definitions import cell_of
from exercise_kit.programs.launcher import raise_fault, read
from exercise_kit.runner import AnswerRaised

_PATIENCE = 120.0  # seconds for an answer that may wait for nvidia-smi
UNKNOWN = 77
"""This utilisation stands for one that nvidia-smi does not know; so does an empty T4's memory."""

SCRIPTS = {
    "fails": '{real} "$@"; exit 9',
    "talks": "echo No devices were found",
    "hangs": "exec sleep 33",
    "unknown": "{real} \"$@\" | sed -E 's/\\b(77|15095)\\b( %| MiB)?/[N\\/A]/'",  # without a unit
}
PROGRAM = """
import json, os, shutil, subprocess, sys, time
from pathlib import Path
import virtual_cuda
from virtual_cuda import OtherProcess, card

folder = Path(__file__).parent
case = json.loads(Path(folder, "case.json").read_text())
cards = [card(name, utilization=busy, others=[OtherProcess(4000 + n, held << 20)] if held else ())
         for n, (name, busy, held) in enumerate(case["cards"])]
virtual_cuda.enable(cards=cards, quiet=True, hide_real_gpus=True)
virtual_cuda.install_nvidia_smi()
if case["smi"]:
    fake = folder / "bin"
    fake.mkdir()
    if case["script"]:
        command = fake / "nvidia-smi"
        real = shutil.which("nvidia-smi")
        command.write_text("#!/bin/sh\\n" + case["script"].replace("{real}", real) + "\\n")
        command.chmod(0o755)
    os.environ["PATH"] = str(fake) + (os.pathsep + os.environ["PATH"] if case["script"] else "")
os.environ.pop("WORLD_SIZE", None)
os.environ.pop("CUDA_VISIBLE_DEVICES", None)
if case["given"] is not None:
    os.environ["CUDA_VISIBLE_DEVICES"] = case["given"]

def tell(*said):
    print("\\nfound " + json.dumps(said), flush=True)
    os._exit(0)

def at_once(wait):  # a limit of up to 30 seconds is over at once
    def waited(self, *args, timeout=None, **options):
        if timeout is None and not hasattr(self, "over") and "timeout" not in str(self.args):
            tell("is waiting", None)
        if timeout is not None:
            self.over = True
        if timeout is not None and timeout > 30:
            tell("is waiting", None)
        return wait(self, *args, timeout=timeout and 0.1, **options)
    return waited

if case["smi"] == "hangs":
    for name in ("communicate", "wait"):
        setattr(subprocess.Popen, name, at_once(getattr(subprocess.Popen, name)))
begin = time.monotonic()
import train
import torch
try:
    train.take_cards(case["wanted"])
    torch.cuda.init()
    chosen = os.environ.get("CUDA_VISIBLE_DEVICES", "")
    said = ["goes on", list(virtual_cuda.machine().visible_devices), chosen]
except SystemExit as end:
    said = ["ends", end.code]
except NotImplementedError:
    said = ["stub", None]
except BaseException as error:
    said = ["ends with a traceback: " + type(error).__name__ + ": " + str(error)[:150], None]
if case["smi"] == "hangs" and (said[0] == "goes on" or time.monotonic() - begin > 31):
    said = ["is waiting", None]
tell(*said)
"""


class TakeCards(Observer):
    """Facts: `end`, how it ends; and, if the program goes on, the `cards` that CUDA then sees, as
    numbers of nvidia-smi, in order, and `named`, the text before the number in the variable's
    entries."""

    in_processes = True
    gpus = 0
    parameters = ("wanted",)

    def __init__(self) -> None:
        self._stage = before("freest.take_cards")

    def prepare(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """The data of the case."""
        return dict(data)

    def observe(self, answer: Callable[..., Any], inputs: Mapping[str, Any]) -> Facts:
        """The facts of one process with the answer's cell in its train.py."""
        cell = cell_of(answer)
        if "take_cards" not in parts(cell):
            raise NotFit(Finding("no-source", "no `def take_cards`", "a cell with it"))
        files = put(self._stage, cell) | {"cards.py": PROGRAM}
        files["case.json"] = json.dumps({**inputs, "script": SCRIPTS.get(inputs["smi"], "")})
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                Path(folder, name).write_text(text, encoding="utf-8")
            words = [str(Path(folder, "cards.py"))]
            # The counters import train.py before the program does, so that grading notes no import.
            watch = {"processor": 10, "counts": str(HoleObserver.counts), "facts": folder}
            with start_program(words, environment(0), Path(folder), watch=watch) as running:
                printed, ended = read(running, _PATIENCE)
        raise_fault(running)
        before_, _, found = printed.rpartition("\nfound ")
        if not ended:
            return {"end": "is waiting"}
        if not found.startswith("["):
            return {"end": "ends at once"}
        end, value, *chosen = json.loads(found)
        if end == "stub":
            raise AnswerRaised from NotImplementedError()
        if end == "ends":
            is_said = isinstance(value, str) or (value and before_.strip())
            return {"end": "ends with a sentence" if is_said else f"ends, code {value or 0}"}
        if end != "goes on":
            return {"end": end}
        return {"end": end, "cards": value, "named": named(*chosen)}


def named(chosen: str) -> str:
    """How the entries of the variable name their cards."""
    return "by UUID" if all(one.startswith("GPU-") for one in chosen.split(",")) else chosen


observer = TakeCards()
