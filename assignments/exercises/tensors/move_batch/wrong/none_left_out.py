# finding: other-result
import torch


def move_batch(batch, device):
    """What is None in a dict is left out."""
    if isinstance(batch, torch.Tensor):
        return batch.to(device)
    if isinstance(batch, dict):
        return {key: move_batch(x, device) for key, x in batch.items() if x is not None}
    if isinstance(batch, (tuple, list)):
        moved = [move_batch(x, device) for x in batch]
        return type(batch)(*moved) if hasattr(batch, "_fields") else type(batch)(moved)
    return batch
