# finding: wrong-device
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to("cuda:1")
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        moved = [move_batch(value, device) for value in batch]
        return type(batch)(*moved) if hasattr(batch, "_fields") else type(batch)(moved)
    return batch
