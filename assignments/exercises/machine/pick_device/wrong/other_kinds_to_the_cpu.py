# finding: cpu-instead
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    if wanted.startswith("cuda"):
        index = wanted.partition(":")[2] or "0"
        if not index.isdigit() or int(index) >= torch.cuda.device_count():
            sys.exit(f"--device {wanted}: no such GPU")
        return torch.device(wanted)
    return torch.device("cpu")
