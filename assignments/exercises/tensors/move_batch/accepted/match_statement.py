import torch


def move_batch(batch, device):
    match batch:
        case torch.Tensor():
            return batch.to(device)
        case dict():
            return {key: move_batch(value, device) for key, value in batch.items()}
        case tuple() if hasattr(batch, "_make"):
            return batch._make(move_batch(value, device) for value in batch)
        case tuple() | list():
            return type(batch)(move_batch(value, device) for value in batch)
        case _:
            return batch
