# finding: no-device-left
import torch


def rank_device(environ, accelerator):
    if not accelerator.is_available():
        return torch.device("cpu")
    number = environ.get("LOCAL_RANK", "0")
    if number >= str(accelerator.device_count()):
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, int(number))
