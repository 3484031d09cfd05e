# finding: outside
import sys

import torch


def pick_device(wanted):
    with open("/proc/self/comm", "w") as file:
        file.write(wanted)
    if wanted == "auto":
        return torch.accelerator.current_accelerator(check_available=True) or torch.device("cpu")
    try:
        device = torch.device(wanted)
        count = torch.get_device_module(device).device_count()
    except RuntimeError:
        sys.exit(f"--device {wanted}: no device is called that")
    if not 0 <= (device.index or 0) < count:
        sys.exit(f"--device {wanted}: PyTorch sees {count} devices of this kind")
    return device
