"""Programs that are recorded and run later: CUDA graphs and ``torch.compile``."""

from . import compiling, cuda_graphs

PARTS = (compiling, cuda_graphs)
