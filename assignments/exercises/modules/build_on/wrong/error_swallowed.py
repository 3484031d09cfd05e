# finding: error-swallowed
import torch


def build_on(make, device):
    try:
        with torch.device(device):
            return make()
    except Exception:
        return None
