# finding: not-counted
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if wanted.startswith("cuda") and not torch.cuda.is_available():
        sys.exit(f"--device {wanted}: there is no GPU")
    try:
        return torch.device(wanted)
    except RuntimeError:
        sys.exit(f"--device {wanted}: no such device")
