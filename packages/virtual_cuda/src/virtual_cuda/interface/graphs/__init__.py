"""CUDA graphs and ``torch.compile``."""

from . import compiling, cuda_graphs

PARTS = (compiling, cuda_graphs)
