# finding: not-ahead
import torch


def prefetch(loader, device):
    def move(batch):
        if isinstance(batch, torch.Tensor):
            return batch.to(device, non_blocking=True)
        if isinstance(batch, dict):
            return {key: move(item) for key, item in batch.items()}
        if isinstance(batch, (list, tuple)):
            return type(batch)(move(item) for item in batch)
        return batch

    waiting = []
    for batch in loader:
        waiting.append(batch)
        if len(waiting) > 1:
            yield move(waiting.pop(0))
    yield from map(move, waiting)
