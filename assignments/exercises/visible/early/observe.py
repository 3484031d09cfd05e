"""Observe `early`: each call in a new process, in which nothing has used CUDA."""

import json
from collections.abc import Mapping
from typing import Any

from course_utils.experiments.children import run_child
from exercise_kit import Facts, Finding, Observer
from exercise_kit.contract import NotFit
from exercise_kit.definitions import cell_of, definitions
from exercise_kit.runner import AnswerRaised

PROGRAM = """
import json, os
import torch
device = early({cards!r})
value = os.environ.get("CUDA_VISIBLE_DEVICES")
if isinstance(device, (str, torch.device)):
    x = torch.ones(1, device=device)
    import virtual_cuda
    cards = list(virtual_cuda.machine().visible_devices)
    print(json.dumps([str(x.device), cards, value]))
else:
    print(json.dumps([type(device).__name__, [], value]))
"""


class Early(Observer):
    """Facts: `device`, where a tensor on the returned device is, or the type of another result;
    the `cards` that CUDA uses, as numbers of nvidia-smi; `taken`, when the list was set if these
    are the cards of the beginning; or `error`, which ended the process."""

    in_processes = True
    gpus = 0

    def prepare(self, data: Mapping[str, Any]) -> Any:
        """The data of the case."""
        return dict(data)

    def observe(self, answer: Any, inputs: Any) -> Facts:
        """The facts of a process that defines and calls the answer."""
        if not (cell := cell_of(answer)):
            raise NotFit(Finding("no-source", "no source", "a function with `def`"))
        program = "\n".join([*definitions(cell), PROGRAM.format(**inputs)])
        cards = ("A100",) * 4
        printed = run_child(program, cards=cards, CUDA_VISIBLE_DEVICES=inputs["here"]).splitlines()
        if printed and printed[-1] == "NotImplementedError":  # as the stub raises
            raise AnswerRaised from NotImplementedError()
        try:
            device, seen, value = json.loads(printed[-1])
        except (IndexError, ValueError):
            return {"error": printed[-1] if printed else "the process ended early"}
        taken = "in time"
        if seen == ([0, 2] if inputs["here"] else [0, 1, 2, 3]):
            known = {inputs["here"]: "never", inputs["cards"]: "too late"}
            taken = known.get(value, "to another value")
        return {"error": None, "taken": taken, "device": device, "cards": seen}


observer = Early()
observer.parameters = ("cards",)
