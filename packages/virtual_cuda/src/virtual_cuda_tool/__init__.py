"""Virtual CUDA as a tool: a command line, a start by environment, a plugin for pytest.

Beside ``virtual_cuda`` rather than in it, since every ``import torch`` and every ``pytest`` of the
environment looks in here: nothing is imported that costs anything until virtual GPUs are asked for.
"""
