# finding: rank-of-all-machines
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    return torch.device(accelerator.current_accelerator().type, int(environ.get("RANK", 0)))
