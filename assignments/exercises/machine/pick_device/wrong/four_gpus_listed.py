# finding: not-counted
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    names = ["cpu"]
    if torch.cuda.is_available():
        names += ["cuda", "cuda:0", "cuda:1", "cuda:2", "cuda:3"]
    if wanted in names:
        return torch.device(wanted)
    sys.exit(f"no {wanted}")
