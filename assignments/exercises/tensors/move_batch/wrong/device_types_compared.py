# finding: tensors-left-behind
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch if batch.device.type == device.type else batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        return type(batch)(*(move_batch(item, device) for item in batch))
    if isinstance(batch, (list, tuple)):
        return type(batch)(move_batch(item, device) for item in batch)
    return batch
