# finding: code-zero
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(1, device=wanted)
    except Exception:
        print(f"--device {wanted}: there is no such device")
        sys.exit()
    return torch.device(wanted)
