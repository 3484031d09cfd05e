"""This computer's own GPUs in a lesson on virtual ones, and measurements there, in a child."""

import json
from functools import cache
from typing import Any

import torch

import virtual_cuda
from course_utils.experiments.children import VISIBLE, run_bare_child
from course_workspace.machine import real_gpus


@cache
def own_gpus() -> tuple[str, ...]:
    """The names of the GPUs that CUDA could use here.

    They are found once, before a lesson's virtual GPUs take their place in this process.
    """
    if virtual_cuda.is_enabled() or torch.version.cuda is None or VISIBLE == "":
        return ()
    return tuple(real_gpus())


def measured(function: str, *arguments: Any, before: str = "") -> Any:
    """The JSON value that a function returns in a child process, on this computer's own GPUs.

    function: its module and name, such as "lesson_parts.lesson02.waits.own_loops". before: code
    that the child runs first. The kernel starts no CUDA, and keeps no memory of the GPU.

    Raises CourseError if the child failed, with its last line.
    """
    module, _, name = function.rpartition(".")
    code = f"{before}\nimport json, {module}\nprint(json.dumps({module}.{name}(*{arguments!r})))"
    printed = run_bare_child(code, CUDA_VISIBLE_DEVICES=VISIBLE)
    return json.loads(printed.splitlines()[-1])
