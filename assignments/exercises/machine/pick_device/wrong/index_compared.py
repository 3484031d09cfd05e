# finding: index-is-none
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(wanted)
    except RuntimeError:
        sys.exit(f"--device {wanted} is no device")
    if device.type == "cuda" and device.index >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return device
