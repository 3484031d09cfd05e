# finding: cpu-refused
import torch


def rank_device(environ, accelerator):
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, number)
