# finding: refused-needlessly
import sys

import torch


def pick_device(wanted):
    if wanted != "cpu":
        sys.exit(f"--device {wanted}: this program knows only the CPU")
    return torch.device("cpu")
