import torch

END = object()


def prefetch(loader, device):
    def move(batch):
        if isinstance(batch, torch.Tensor):
            return batch.to(device, non_blocking=True)
        if isinstance(batch, dict):
            return {key: move(item) for key, item in batch.items()}
        if isinstance(batch, list):
            return [move(item) for item in batch]
        if isinstance(batch, tuple):
            return tuple(move(item) for item in batch)
        return batch

    batches = iter(loader)
    upcoming = next(batches, END)
    if upcoming is END:
        return
    upcoming = move(upcoming)
    while upcoming is not END:
        current = upcoming
        upcoming = next(batches, END)
        if upcoming is not END:
            upcoming = move(upcoming)
        yield current
