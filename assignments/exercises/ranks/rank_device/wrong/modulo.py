# finding: no-device-left
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    number = int(environ.get("LOCAL_RANK", 0)) % accelerator.device_count()
    return torch.device(accelerator.current_accelerator().type, number)
