# finding: made-on-meta
import torch


def build_on(make, device):
    with torch.device("meta"):
        module = make()
    return module.to_empty(device=device)
