"""Python programs that are forks of a process that has imported torch.

A new process needs seconds to import torch. Such a fork starts in the same state: CUDA is not
started, and has read no environment variable.
"""

from pathlib import Path

from exercise_kit.programs.launcher import Launcher

LAUNCHER = Launcher(
    Path(__file__).with_name("torch_forks.py"),
    # Read by torch and its libraries; virtual_cuda reads all its other variables in the fork.
    read_early=("TORCH", "PYTORCH", "OMP_", "MKL_", "KMP_", "VIRTUAL_CUDA_HELPER"),
    several=("-m", "torch.distributed.run", "--standalone", "--nproc-per-node"),
    withheld=("VIRTUAL_CUDA",),
)

start_program = LAUNCHER.start
