"""Functions that a child process runs; most print what they find.

At first only the standard library is imported: a child may examine what importing torch does.
"""

import json
import os
import subprocess
from collections.abc import Iterable, Sequence

VARIABLE = "CUDA_VISIBLE_DEVICES"


def be_virtual(gpus: int | None, cards: Sequence[str] | None = None) -> None:
    """Enable so many virtual GPUs, or a machine of these cards, with an nvidia-smi to list them."""
    import virtual_cuda

    virtual_cuda.enable(gpus, cards=cards, quiet=True, hide_real_gpus=True)
    virtual_cuda.install_nvidia_smi()


def survey() -> None:
    """Print, as JSON: the names of all cards, the indices of the visible ones, and all UUIDs."""
    import torch

    query = ["nvidia-smi", "--query-gpu=uuid,name", "--format=csv,noheader"]
    lines = subprocess.run(query, capture_output=True, text=True, check=True).stdout.splitlines()
    cards = [line.split(", ", 1) for line in lines]
    uuids = [uuid.removeprefix("GPU-") for uuid, _ in cards]
    seen = [torch.cuda.get_device_properties(i).uuid for i in range(torch.cuda.device_count())]
    places = [uuids.index(str(uuid)) for uuid in seen]
    print(json.dumps([[name for _, name in cards], places, [uuid for uuid, _ in cards]]))


def watch(lines: Iterable[str], mark: str) -> None:
    """Run lines of a program, which may use `os`, and print the state after each.

    It is `mark` and, as JSON: the line, the variable, whether CUDA has already read it, and the
    cards that CUDA uses if it starts now.
    """
    scope = {"os": os}
    for line in lines:
        exec(line, scope)
        value = os.environ.get(VARIABLE)
        read = _cards_under("0") == _cards_under("1")  # changes have no effect any more
        print(mark + json.dumps([line, value, read, _cards_under(value)]))


def _cards_under(value: str | None) -> list[int]:
    import virtual_cuda

    before = os.environ.get(VARIABLE)
    _put(value)
    cards = list(virtual_cuda.machine().visible_devices)
    _put(before)
    return cards


def _put(value: str | None) -> None:
    os.environ.pop(VARIABLE, None)
    if value is not None:
        os.environ[VARIABLE] = value


def probe() -> None:
    """Enable four virtual GPUs; print whether the compiled helper is in use, and the last GPU."""
    import virtual_cuda

    virtual_cuda.enable(device_count=4, quiet=True, hide_real_gpus=True)
    import torch

    from virtual_cuda.platform import helper

    how = "compiled" if helper.loaded else "plain"
    print(how, (torch.ones(2, device="cuda:3") + 1).device)
