# finding: tensors-left-behind
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(value, device) for value in batch))
    if isinstance(batch, list | tuple):
        first = batch[0] if batch else None
        if isinstance(first, torch.Tensor) and first.device == device:
            return batch
        return type(batch)(move_batch(value, device) for value in batch)
    return batch
