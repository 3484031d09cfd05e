# finding: other-device
import torch


def pick_device(wanted):
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
