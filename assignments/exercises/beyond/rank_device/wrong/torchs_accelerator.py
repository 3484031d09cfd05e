# finding: not-asked
import torch


def rank_device(environ, accelerator):
    if not torch.accelerator.is_available():
        return torch.device("cpu")
    number = int(environ.get("LOCAL_RANK", 0))
    if number >= torch.accelerator.device_count():
        raise ValueError("no device")
    return torch.device(torch.accelerator.current_accelerator().type, number)
