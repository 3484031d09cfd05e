"""Virtual CUDA: GPUs for a computer that has none.

After ``virtual_cuda.enable(device_count=4, memory="2 GiB")`` unmodified PyTorch code that says
``cuda`` runs on the CPU. Tensors are plain ``torch.Tensor`` objects whose device is ``cuda:i``;
values, device rules, error messages and memory numbers are CUDA's, speed is the CPU's. How long the
work would take on the cards is modelled (``trace``, events, ``torch.cuda.utilization``).

``switchboard`` switches all of it on and off; ``runtime`` is what is on. ARCHITECTURE.md, beside
README, says what is in each folder and file, and where one changes what. The package
``virtual_cuda_tool`` beside this one switches on from outside: a command line, the environment,
pytest.

Nothing is patched on import. This package knows nothing of the course it is part of.
"""

from __future__ import annotations

# First: where the environment asks for virtual GPUs (``virtual_cuda_tool.startup``), torch enables
# them at the end of its import, which then finds this package without anything half imported.
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
