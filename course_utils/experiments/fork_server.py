"""Python programs that are forks of a process that has imported torch.

Such a fork has what a new process has: CUDA is not started, and no variable is read by it. A new
process takes seconds to import torch.
"""

from pathlib import Path

from exercise_kit.programs.launcher import Launcher

LAUNCHER = Launcher(
    Path(__file__).with_name("torch_forks.py"),
    # By torch and what it loads, and by virtual_cuda, which reads all but this one in the fork.
    read_early=("TORCH", "PYTORCH", "OMP_", "MKL_", "KMP_", "VIRTUAL_CUDA_HELPER"),
    several=("-m", "torch.distributed.run", "--standalone", "--nproc-per-node"),
    withheld=("VIRTUAL_CUDA",),
)

start_program = LAUNCHER.start
