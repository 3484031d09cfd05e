# finding: plain-value-touched
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if not batch:
        return None
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(item, device) for item in batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_batch(item, device) for item in batch)
    return batch
