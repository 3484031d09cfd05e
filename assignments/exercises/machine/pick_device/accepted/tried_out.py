import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        torch.empty(1, device=wanted)
    except Exception as problem:
        sys.exit(f"--device {wanted} cannot be used here: {problem}".splitlines()[0])
    return torch.device(wanted)
