"""Observe `take_cards` of train.py: a new process calls it on a virtual server, before CUDA."""

import json
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from course_utils.experiments.children import ChildTooSlow, run_bare_child
from course_utils.program.holes import before, parts, put
from exercise_kit import Facts, Finding, Observer
from exercise_kit.contract import NotFit
from exercise_kit.definitions import cell_of
from exercise_kit.runner import AnswerRaised

_PATIENCE = 120.0  # seconds for an answer that may wait for nvidia-smi
UNKNOWN = 77
"""A utilisation that stands for one that nvidia-smi does not know."""

SCRIPTS = {
    "fails": "echo NVIDIA-SMI has failed; exit 9",
    "talks": "echo No devices were found",
    "hangs": 'sleep 4; exec {real} "$@"',
    "": "{real} \"$@\" | sed 's/\\b77\\b/[N\\/A]/'",
}
PROGRAM = """
import json, os, shutil, subprocess, sys
from pathlib import Path
import virtual_cuda
from virtual_cuda import OtherProcess, card
folder, case, script = {told!r}
cards = [card("A100", utilization=busy, others=[OtherProcess(4000 + n, held << 20)] if held else ())
         for n, (busy, held) in enumerate(case["cards"])]
virtual_cuda.enable(cards=cards, quiet=True, hide_real_gpus=True)
virtual_cuda.install_nvidia_smi()
fake = Path(folder, "bin")
fake.mkdir()
if script:
    command = fake / "nvidia-smi"
    command.write_text("#!/bin/sh\\n" + script.replace("{{real}}", shutil.which("nvidia-smi")))
    command.chmod(0o755)
os.environ["PATH"] = str(fake) + (os.pathsep + os.environ["PATH"] if script else "")
os.environ.pop("WORLD_SIZE", None)
os.environ.pop("CUDA_VISIBLE_DEVICES", None)
if case["given"] is not None:
    os.environ["CUDA_VISIBLE_DEVICES"] = case["given"]
wait, hangs = subprocess.Popen.communicate, case["smi"] == "hangs"
def quick(self, input=None, timeout=None):  # 30 seconds pass in one
    return wait(self, input, timeout / 30 if timeout and hangs else None)
subprocess.Popen.communicate = quick
sys.path.insert(0, folder)
names = {{"__name__": "train"}}
exec(compile(Path(folder, "train.py").read_text(), "train.py", "exec"), names)
import torch
sys.stdout.flush()
try:
    names["take_cards"](case["wanted"])
    torch.cuda.init()
    said = ["goes on", list(virtual_cuda.machine().visible_devices)]
except SystemExit as end:
    said = ["ends", end.code]
except NotImplementedError:
    said = ["stub", None]
except BaseException as error:
    said = ["ends with a traceback: " + type(error).__name__ + ": " + str(error)[:150], None]
print("\\nfound " + json.dumps(said))
"""


class TakeCards(Observer):
    """Facts: `end`, how it ends; and, if the program goes on, the `cards` that CUDA then sees, as
    numbers of nvidia-smi, in order."""

    in_processes = True
    needs_devices = False
    parameters = ("wanted",)
    processor = 4

    def __init__(self) -> None:
        self._stage = before("freest.take_cards")

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The data of the case."""
        return dict(data)

    def observe(self, answer: Any, inputs: Any) -> Facts:
        """The facts of one process with the answer's cell in its train.py."""
        cell = cell_of(answer)
        if "take_cards" not in parts(cell):
            raise NotFit(Finding("no-source", "no `def take_cards`", "a cell with it"))
        with tempfile.TemporaryDirectory() as folder:
            for name, text in put(self._stage, cell).items():
                Path(folder, name).write_text(text, encoding="utf-8")
            told = (folder, inputs, SCRIPTS.get(inputs["smi"], ""))
            try:
                printed = run_bare_child(PROGRAM.format(told=told), patience=_PATIENCE)
            except ChildTooSlow:
                return {"end": "is waiting"}
        before_, _, found = printed.rpartition("\nfound ")
        if not found.startswith("["):
            return {"end": "ends at once"}
        end, value = json.loads(found)
        if end == "stub":
            raise AnswerRaised from NotImplementedError()
        if inputs["smi"] == "hangs" and end == "goes on":
            return {"end": "is waiting"}
        if end == "ends":
            is_said = isinstance(value, str) or (value and before_.strip())
            return {"end": "ends with a sentence" if is_said else f"ends, code {value or 0}"}
        return {"end": end, **({"cards": value} if end == "goes on" else {})}


observer = TakeCards()
