# finding: local-rank-missing
import torch


def rank_device(environ, accelerator):
    number = int(environ["LOCAL_RANK"])
    if not accelerator.is_available():
        return torch.device("cpu")
    if number >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(accelerator.current_accelerator().type, number)
