# finding: refused-needlessly
import sys

import torch


def pick_device(wanted):
    try:
        device = torch.device(wanted)
    except RuntimeError:
        sys.exit(f"--device {wanted}: no such device")
    if device.type == "cuda" and (device.index or 0) >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return device
