# finding: type-fixed
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device("cuda", number)
