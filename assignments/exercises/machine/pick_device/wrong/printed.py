# finding: no-device-object
import torch


def pick_device(wanted):
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    print(torch.device(wanted))
