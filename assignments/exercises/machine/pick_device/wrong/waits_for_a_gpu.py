# finding: does-not-end
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    while wanted == "cuda" and not torch.cuda.is_available():
        pass
    try:
        torch.empty(1, device=wanted)
    except Exception:
        sys.exit(f"--device {wanted}: there is no such device")
    return torch.device(wanted)
