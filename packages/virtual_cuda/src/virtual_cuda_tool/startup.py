"""``VIRTUAL_CUDA=4``: virtual GPUs for a program that knows nothing of them.

torch calls ``start`` at the end of its own import: it is an entry point of the group
``torch.backends``, torch's door for devices from elsewhere. So nothing happens in a process that
does not import torch, and where the variable is not set it costs the import of this small file.

It does not reach a process that was started without the variable, with another Python, or with
TORCH_DEVICE_BACKEND_AUTOLOAD=0, which closes that door.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout, suppress


def start() -> None:
    """Enable what the environment asks for. Ends the process with a sentence where it cannot.

    Going on without GPUs would let a test pass on the CPU, and an exception would be wrapped into
    torch's own advice about extensions.
    """
    if not os.environ.get("VIRTUAL_CUDA"):
        return
    from .settings import BANNER, Settings

    quiet = os.environ.pop(BANNER, "0") != "1"  # once: what this process starts says nothing
    try:
        settings = Settings.of(os.environ)
        if settings is None:
            return
        with suppress(ImportError):  # torch's own overrides for cards must not come after ours
            import torch._native  # noqa: F401
        with redirect_stdout(sys.stderr):  # stdout is the program's
            settings.enable(quiet)
            if not quiet and not settings.nvidia_smi:
                print("Programs find a command nvidia-smi with: virtual_cuda run --nvidia-smi …")
    except (ValueError, RuntimeError) as error:
        print(f"virtual_cuda: {error}", file=sys.stderr)
        raise SystemExit(2) from None
