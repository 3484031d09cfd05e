# finding: raised-in-the-program
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        torch.empty(1, device=wanted)
    except Exception:
        sys.exit(f"--device {wanted}: there is no such device")
    torch.set_default_device(wanted)
    return torch.device(wanted)
