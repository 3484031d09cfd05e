"""This computer's own GPUs in a lesson on virtual ones, and measurements there, in a child."""

import json
import os
from functools import cache
from typing import Any

import torch

import virtual_cuda
from course_utils.experiments.children import run_bare_child
from course_workspace.machine import real_gpus


@cache
def own_gpus() -> tuple[tuple[str, ...], str | None]:
    """The names of the GPUs that CUDA could use here, and CUDA_VISIBLE_DEVICES.

    Both are read once, before a lesson's virtual GPUs take their place in this process.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if virtual_cuda.is_enabled() or torch.version.cuda is None or visible == "":
        return (), visible
    return tuple(real_gpus()), visible


def measured(function: str) -> Any:
    """The JSON value that a function returns in a child process, on this computer's own GPUs.

    function: its module and name, such as "lesson_parts.lesson02.waits.own_loops". It is called
    without arguments. The kernel starts no CUDA, and keeps no memory of the GPU.

    Raises CourseError if the child failed, with its last line.
    """
    module, _, name = function.rpartition(".")
    code = f"import json, {module}\nprint(json.dumps({module}.{name}()))"
    printed = run_bare_child(code, CUDA_VISIBLE_DEVICES=own_gpus()[1])
    return json.loads(printed.splitlines()[-1])
