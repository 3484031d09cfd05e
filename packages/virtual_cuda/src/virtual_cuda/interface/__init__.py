"""What torch's own Python finds where it asks for CUDA: functions and classes in place of C++.

A folder for each subject. In each, ``PARTS`` are the modules with a function ``patch``, which
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
