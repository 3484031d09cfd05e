# finding: auto-is-no-name
import sys

import torch


def pick_device(wanted):
    device = torch.device(wanted)
    if device.type == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if (device.index or 0) >= torch.get_device_module(device).device_count():
        sys.exit(f"--device {wanted}: no such device")
    return device
