"""``torch.profiler`` with the cards' work and memory, and NVTX."""

from . import events, nvtx

PARTS = (events, nvtx)
