"""A job that computes on another card than the one it is meant for: why follows from a number."""

import random
import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from course_utils.experiments.children import run_child
from exercise_kit.diagnosis import Program
from virtual_cuda import card
from virtual_cuda.hardware.profiles import assemble
from virtual_cuda.hardware.visibility import cuda_order

CAUSES = ("order", "list ended", "read too early", "place")
in_processes = True

_PAIRS = (("H100", "T4"), ("A100", "RTX 2080 Ti"), ("RTX 3090", "RTX 2080 Ti"), ("A100", "T4"))
_SLOTS = "# in the slots: "
_VALUE = "CUDA_VISIBLE_DEVICES"
_OF_CUDA = ("RuntimeError: ", "AssertionError: ", "torch.AcceleratorError: ", "AcceleratorError: ")
_END = "\nprint('card', torch.cuda.get_device_properties(x.device).uuid if x.is_cuda else 'CPU')\n"


def draw(run: int) -> Program:
    """The job of the run with this number, on a machine with four cards of two models."""
    rng = random.Random(f"which card in run {run}")
    cause = rng.choice(CAUSES)
    cards = rng.sample([*rng.choice(_PAIRS)] * 2, 4)
    while _order(cards) == (0, 1, 2, 3):
        rng.shuffle(cards)
    wanted = rng.choice([number for number, there in enumerate(_order(cards)) if number != there])
    meant = rng.sample([number for number in range(4) if number != wanted], 2)
    place = rng.randint(0, 2)
    meant.insert(place, wanted)
    words = [str(number) for number in meant]
    if cause == "list ended":
        words.insert(rng.randint(0, place), rng.choice(("-1", "9", "GPU2")))
    index = place
    if cause == "place":
        index = rng.choice([number for number in (place + 1, wanted) if number != place])
    inside = cause == "read too early" or (cause != "list ended" and rng.random() < 0.5)
    others = rng.sample(range(4), 2)
    while others[index:] and others[index] == wanted:
        rng.shuffle(others)
    other = ",".join(map(str, others))
    asks = cause == "read too early" or (not inside and rng.random() < 0.7)
    question = "is_available" if asks else "device_count"
    order = "FASTEST_FIRST" if cause == "order" else "PCI_BUS_ID"
    lines = [
        _SLOTS + ", ".join(cards),
        f"export CUDA_DEVICE_ORDER={order}",
        f"export {_VALUE}={other if inside else ','.join(words)}",
        "import os",
        "import torch",
        f'print("{question}:", torch.cuda.{question}())',
        f'os.environ["{_VALUE}"] = "{",".join(words)}"'
        if inside
        else f'os.environ.setdefault("{_VALUE}", "{other}")',
        f'device = torch.device("cuda:{index}")',
        "x = torch.ones(1, device=device)",
    ]
    line = {"order": 2, "list ended": 3, "read too early": 6, "place": 8}[cause]
    innocent = {2: "order-right", 3: "list-replaced" if inside else "list-right"}
    innocent |= {6: "asks-only", 7: "set-in-time" if inside else "default-unused"}
    innocent |= {8: "place-right", 9: "used-there"}
    if cause == "read too early":
        innocent[7] = "set-too-late"
    innocent.pop(line)
    return Program(lines, line, cause, {"card": f"GPU {wanted}"}, innocent)


def _order(cards: Sequence[str]) -> tuple[int, ...]:
    return cuda_order([card(name) for name in cards])


def execute(source: str) -> dict[str, Any]:
    """card: nvidia-smi's index of the GPU with the tensor `x`, or why there is none.

    Raises ValueError if a line cannot be run, and not because CUDA finds no such GPU.
    """
    found, printed = _run(source)
    if not found and printed and not printed[-1].startswith(_OF_CUDA):
        raise ValueError(printed[-1])
    return {"card": found or f"none: {printed[-1] if printed else 'nothing was printed'}"}


def _run(source: str) -> tuple[str, list[str]]:
    """The card of `x`, or "" if there is none, and the printed lines of a job."""
    slots, *exports = source.splitlines()[:3]
    cards = slots.removeprefix(_SLOTS).split(", ")
    variables: dict[str, str | None] = {"CUDA_DEVICE_ORDER": None, _VALUE: None}
    for line in exports:
        variables |= _exported(line)
    code = "\n".join(source.splitlines()[3:])
    printed = run_child(code + _END, cards=cards, **variables).splitlines()
    uuids = [one.uuid for one in assemble([card(name) for name in cards])]
    last = printed[-1].removeprefix("card ") if printed else ""
    if f"GPU-{last}" in uuids:
        return f"GPU {uuids.index(f'GPU-{last}')}", printed[:-1]
    if last == "CPU":
        return "the CPU", printed[:-1]
    errors = [number for number, text in enumerate(printed) if "Error: " in text]
    return "", printed[: errors[-1] + 1] if errors else printed


def _exported(line: str) -> Mapping[str, str | None]:
    """The variables that a line of the shell gives to the program; None: removed.

    Raises ValueError for another command, or for what the shell would not accept.
    """
    found: dict[str, str | None] = {}
    for command in line.split(";"):
        name, *words = shlex.split(command, comments=True) or ["unset"]
        if name not in ("export", "unset"):
            raise ValueError(f"{command.strip()}: write export NAME=VALUE, or unset NAME")
        for word in words:
            key, sign, value = word.partition("=")
            if not key.isidentifier() or (sign and name == "unset"):
                raise ValueError(f"{name}: `{word}': not a valid identifier")  # as bash prints it
            if sign or name == "unset":
                found[key] = value if sign else None
    return found


def show(run: int) -> str:
    """The cards as nvidia-smi lists them, the job with its aim, and what it printed."""
    program = draw(run)
    source = "\n".join(program.lines) + "\n"
    cards = assemble([card(name) for name in program.lines[0].removeprefix(_SLOTS).split(", ")])
    found, printed = _run(source)
    end = f"nvidia-smi lists the process on {found}." if found else "The job has ended."
    return "\n".join(
        [
            *(f"GPU {n}: {one.name} (UUID: {one.uuid})" for n, one in enumerate(cards)),
            "",
            f"Lines 2 and 3 are of the shell, lines 4 to 9 of job.py. It is meant for "
            f"{program.right['card']} of this list.",
            "",
            program.numbered(),
            "",
            *printed,
            end,
        ]
    )
