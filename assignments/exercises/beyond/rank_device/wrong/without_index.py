# finding: no-index
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    if int(environ.get("LOCAL_RANK", 0)) >= accelerator.device_count():
        raise ValueError("no device")
    return accelerator.current_accelerator()
