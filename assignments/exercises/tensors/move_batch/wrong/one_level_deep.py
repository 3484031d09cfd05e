# finding: tensors-left-behind
import torch


def move_batch(batch, device):
    def move(value):
        return value.to(device) if isinstance(value, torch.Tensor) else value

    if isinstance(batch, dict):
        return {key: move(value) for key, value in batch.items()}
    if isinstance(batch, (tuple, list)):
        return type(batch)(move(value) for value in batch)
    return move(batch)
