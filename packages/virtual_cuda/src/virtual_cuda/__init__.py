"""Virtual CUDA: GPUs for a computer that has none.

After ``virtual_cuda.enable(device_count=4, memory="2 GiB")``, unmodified PyTorch code for ``cuda``
runs on the CPU. Tensors are plain ``torch.Tensor`` objects with the device ``cuda:i``. Values,
device rules, error messages and memory numbers are CUDA's; the speed is the CPU's. The time that
the work would take on GPUs is modelled (``trace``, events, ``torch.cuda.utilization``).

``switchboard`` switches everything on and off. ``runtime`` has the state while it is on.
ARCHITECTURE.md describes each folder and file, and where to make which change. The package
``virtual_cuda_tool`` switches virtual GPUs on from outside: by a command line, by environment
variables, in pytest.

Importing it patches nothing. This package does not depend on the course.
"""

from __future__ import annotations

# First: if the environment asks for virtual GPUs (``virtual_cuda_tool.startup``), torch enables
# them at the end of its import. Then this package must not be half imported.
import torch  # noqa: F401

from .copying import copies_noted
from .errors import UnsupportedFeature, VirtualCudaUnavailable, VirtualCudaUnsupported
from .hardware.catalogue import CATALOGUE, card
from .hardware.profiles import DeviceProfile, Machine, OtherProcess, parse_memory
from .nvidia.command import install_nvidia_smi, nvidia_smi
from .racing import races
from .switchboard import disable, enable, enabled, is_enabled, live_bytes, machine, prepare
from .tracing import Hazard, Interval, Trace, clock, now, stale_copies, trace

__all__ = [
    "CATALOGUE",
    "DeviceProfile",
    "Hazard",
    "Interval",
    "Machine",
    "OtherProcess",
    "Trace",
    "UnsupportedFeature",
    "VirtualCudaUnavailable",
    "VirtualCudaUnsupported",
    "card",
    "clock",
    "copies_noted",
    "disable",
    "enable",
    "enabled",
    "install_nvidia_smi",
    "is_enabled",
    "live_bytes",
    "machine",
    "now",
    "nvidia_smi",
    "parse_memory",
    "prepare",
    "races",
    "stale_copies",
    "trace",
]
