import torch


def rank_device(environ, accelerator):
    kind = accelerator.current_accelerator(check_available=True)
    if kind is None:
        return torch.device("cpu")
    local_rank = int(environ["LOCAL_RANK"]) if "LOCAL_RANK" in environ else 0
    if not local_rank < accelerator.device_count():
        raise ValueError("too many processes")
    return torch.device(f"{kind.type}:{local_rank}")
