import argparse

import torch


def pick_device(wanted):
    problem = argparse.ArgumentParser().error
    if wanted == "auto":
        return torch.device("cuda", 0) if torch.cuda.device_count() > 0 else torch.device("cpu")
    try:
        device = torch.device(wanted)
    except RuntimeError:
        problem(f"{wanted} is no name of a device")
    there = {"cpu": 1, "cuda": torch.cuda.device_count()}.get(device.type, 0)
    if (0 if device.index is None else device.index) >= there:
        problem(f"{wanted} is not there")
    return device
