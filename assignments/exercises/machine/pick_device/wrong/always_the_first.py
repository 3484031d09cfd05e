# finding: other-device
import sys

import torch


def pick_device(wanted):
    if wanted == "cpu":
        return torch.device("cpu")
    if not torch.cuda.is_available():
        sys.exit(f"--device {wanted}: no GPU")
    return torch.device("cuda")
