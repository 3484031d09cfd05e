# finding: not-counted
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        return torch.device(wanted)
    except RuntimeError:
        sys.exit(f"{wanted} is no device")
