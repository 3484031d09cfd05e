# finding: auto-leaves-the-gpu
import sys

import torch


def pick_device(wanted):
    device = torch.device("cpu" if wanted == "auto" else wanted)
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return device
