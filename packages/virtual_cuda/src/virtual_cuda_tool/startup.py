"""``VIRTUAL_CUDA=4``: virtual GPUs for an unchanged program.

torch calls ``start`` at the end of its own import, because it is an entry point of the group
``torch.backends``, which is for other devices. So nothing happens in a process that does not import
torch. Without the variable, the only cost is the import of this small file. It does not work in a

process without the variable, with another Python, or with TORCH_DEVICE_BACKEND_AUTOLOAD=0, which
disables the entry points.
"""

from __future__ import annotations

import os
import sys
from contextlib import redirect_stdout, suppress


def start() -> None:
    """Enable the virtual GPUs of the environment. On an error, ends the process with a message.

    Without GPUs a test could pass on the CPU by mistake, and torch would wrap an exception into its
    own advice about extensions.
    """
    if not os.environ.get("VIRTUAL_CUDA"):
        return
    from .settings import BANNER, Settings

    quiet = os.environ.pop(BANNER, "0") != "1"  # only once: child processes print nothing
    try:
        settings = Settings.of(os.environ)
        if settings is None:
            return
        with suppress(ImportError):  # torch's own overrides must not come after ours
            import torch._native  # noqa: F401
        with redirect_stdout(sys.stderr):  # stdout belongs to the program
            settings.enable(quiet)
            if not quiet and not settings.nvidia_smi:
                print("Programs find a command nvidia-smi with: virtual_cuda run --nvidia-smi …")
    except (ValueError, RuntimeError) as error:
        print(f"virtual_cuda: {error}", file=sys.stderr)
        raise SystemExit(2) from None
