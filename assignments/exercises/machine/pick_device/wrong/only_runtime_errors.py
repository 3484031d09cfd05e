# finding: assertion-not-caught
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(wanted)
        torch.ones(1, device=device)
    except RuntimeError:
        sys.exit(f"--device {wanted} cannot be used here")
    return device
