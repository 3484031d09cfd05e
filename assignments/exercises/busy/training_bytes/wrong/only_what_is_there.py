# finding: other-keys
import torch


def training_bytes(model, optimizer, device):
    found = {}
    for p in model.parameters():
        if p.device == device:
            found["parameters"] = found.get("parameters", 0) + p.nbytes
    return found
