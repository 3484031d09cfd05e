# finding: more-than-the-batches
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

    batches = iter(loader)
    upcoming = move(next(batches, None))
    for batch in batches:
        current, upcoming = upcoming, move(batch)
        yield current
    yield upcoming
