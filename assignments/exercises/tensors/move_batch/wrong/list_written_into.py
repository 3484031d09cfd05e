# finding: input-changed
import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, tuple):
        return tuple(move_batch(value, device) for value in batch)
    if isinstance(batch, list):
        for i, value in enumerate(batch):
            batch[i] = move_batch(value, device)
    if isinstance(batch, dict):
        for key, value in batch.items():
            batch[key] = move_batch(value, device)
    return batch
