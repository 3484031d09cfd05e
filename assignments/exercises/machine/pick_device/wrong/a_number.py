# finding: no-device-object
import torch


def pick_device(wanted):
    device = torch.device(wanted)
    return device.index
