# finding: counted-over-all-machines
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    rank = int(environ.get("RANK", 0))
    if rank >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, rank)
