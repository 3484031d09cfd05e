# finding: outside
import torch


def pick_device(wanted):
    with open("/proc/self/comm", "w") as file:
        file.write(wanted)
    return torch.device(wanted)
