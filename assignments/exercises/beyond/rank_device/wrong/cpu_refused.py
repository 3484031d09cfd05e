# finding: cpu-refused
import torch


def rank_device(environ, accelerator):
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= max(1, accelerator.device_count()):
        raise ValueError("no device")
    if not accelerator.is_available():
        return torch.device("cpu")
    return torch.device(accelerator.current_accelerator().type, number)
