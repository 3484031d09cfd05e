# finding: default-forgotten
import torch


def build_on(make, device):
    torch.set_default_device(device)
    try:
        return make()
    finally:
        torch.set_default_device("cpu")
