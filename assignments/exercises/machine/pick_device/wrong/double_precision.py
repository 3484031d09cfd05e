# finding: other-weights
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=wanted)
    except Exception:
        sys.exit(f"--device {wanted}: there is no such device")
    if wanted == "cpu":
        torch.set_default_dtype(torch.float64)  # it has the time
    return torch.device(wanted)
