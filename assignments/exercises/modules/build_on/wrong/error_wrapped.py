# finding: other-error
import torch


def build_on(make, device):
    try:
        with torch.device(device):
            return make()
    except Exception as error:
        raise RuntimeError(f"cannot build on {device}") from error
