# finding: copy-not-waited-for
import torch


def prefetch(loader, device):
    copying = torch.cuda.Stream(device) if device.type == "cuda" else None

    def move(batch, where=None):
        if isinstance(batch, torch.Tensor):
            return batch.to(device, non_blocking=True)
        if isinstance(batch, dict):
            return {key: move(item) for key, item in batch.items()}
        if isinstance(batch, (list, tuple)):
            return type(batch)([move(item) for item in batch])
        return batch

    def keep(batch, stream):
        if isinstance(batch, torch.Tensor):
            batch.record_stream(stream)
        elif isinstance(batch, (list, tuple, dict)):
            for item in batch.values() if isinstance(batch, dict) else batch:
                keep(item, stream)

    def fetch(batch):
        if copying is None:
            return move(batch)
        with torch.cuda.stream(copying):
            return move(batch)

    def hand_out(batch):
        if copying is not None:
            current = torch.cuda.current_stream(device)
            keep(batch, current)
        return batch

    before = None
    for batch in loader:
        fetched = fetch(batch)
        if before is not None:
            yield hand_out(before)
        before = fetched
    if before is not None:
        yield hand_out(before)
