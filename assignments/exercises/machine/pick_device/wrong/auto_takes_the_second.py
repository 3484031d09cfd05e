# finding: auto-not-there
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda:1" if torch.cuda.is_available() else "cpu")
    try:
        return torch.empty(1, device=wanted).device
    except (RuntimeError, AssertionError):
        sys.exit(f"--device {wanted}: there is no such device")
