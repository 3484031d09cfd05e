import torch


def rank_device(environ, accelerator):
    if accelerator.device_count() == 0:
        return torch.device("cpu")
    kind = accelerator.current_accelerator()
    devices = [torch.device(str(kind), i) for i in range(accelerator.device_count())]
    try:
        return devices[int(environ.get("LOCAL_RANK") or 0)]
    except IndexError:
        raise ValueError("no device left") from None
