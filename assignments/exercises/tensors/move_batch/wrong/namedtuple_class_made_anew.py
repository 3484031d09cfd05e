# finding: another-class
from collections import namedtuple

import torch


def move_batch(batch, device):
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(value, device) for key, value in batch.items()}
    if isinstance(batch, tuple) and hasattr(batch, "_fields"):
        kind = namedtuple(type(batch).__name__, batch._fields)
        return kind(*(move_batch(value, device) for value in batch))
    if isinstance(batch, (tuple, list)):
        return type(batch)(move_batch(value, device) for value in batch)
    return batch
