"""The functions and classes that torch's Python code gets instead of CUDA's C++.

There is a folder for each subject. Its ``PARTS`` are the modules with a function ``patch``, which
replaces attributes of torch. No two parts replace the same attribute, so their order is free.
"""

from . import data_parallel, devices, distributed, graphs, memory, profiler, streams, tensors

PARTS = (
    *data_parallel.PARTS,
    *devices.PARTS,
    *distributed.PARTS,
    *graphs.PARTS,
    *memory.PARTS,
    *profiler.PARTS,
    *streams.PARTS,
    *tensors.PARTS,
)
