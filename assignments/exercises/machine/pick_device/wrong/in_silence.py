# finding: said-nothing
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(1, device=wanted)
    except Exception:
        sys.exit(1)
    return torch.device(wanted)
