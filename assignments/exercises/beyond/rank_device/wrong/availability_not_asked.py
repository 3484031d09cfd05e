# finding: accelerator-not-there
import torch


def rank_device(environ, accelerator):
    kind = accelerator.current_accelerator()
    if kind is None:
        return torch.device("cpu")
    number = int(environ.get("LOCAL_RANK", 0))
    if accelerator.device_count() and number >= accelerator.device_count():
        raise ValueError("no device")
    return torch.device(kind.type, number)
