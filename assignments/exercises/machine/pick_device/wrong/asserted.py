# finding: a-traceback
import torch


def pick_device(wanted):
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    device = torch.device(wanted)
    assert device.type == "cpu" or (device.index or 0) < torch.cuda.device_count(), wanted
    return device
