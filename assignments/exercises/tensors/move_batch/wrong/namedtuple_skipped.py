# finding: tensors-left-behind
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if type(batch) is dict:
        return {key: move_batch(value, device) for key, value in batch.items()}
    if type(batch) in (list, tuple):
        return type(batch)(move_batch(item, device) for item in batch)
    return batch
