"""``torch.profiler``: the cards' work and memory in a profile, and NVTX."""

from . import events, nvtx

PARTS = (events, nvtx)
