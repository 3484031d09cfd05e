# finding: rank-of-all-machines
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    if int(environ.get("LOCAL_RANK", 0)) >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, int(environ.get("RANK", 0)))
