# finding: input-changed
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        batch.data = batch.data.to(device)
    elif isinstance(batch, dict):
        for value in batch.values():
            move_batch(value, device)
    elif isinstance(batch, (tuple, list)):
        for value in batch:
            move_batch(value, device)
    return batch
