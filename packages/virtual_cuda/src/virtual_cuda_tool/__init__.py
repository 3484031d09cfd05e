"""Virtual CUDA as a tool: a command line, a start by environment variables, a pytest plugin.

It is a separate package, because every ``import torch`` and every ``pytest`` of the environment
imports it. It imports nothing slow until virtual GPUs are requested.
"""
