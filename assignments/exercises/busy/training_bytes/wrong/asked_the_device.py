# finding: other-form
import torch


def training_bytes(model, optimizer, device):
    return torch.cuda.memory_allocated(device) if device.type == "cuda" else 0
