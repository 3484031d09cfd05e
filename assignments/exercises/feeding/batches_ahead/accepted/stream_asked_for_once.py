import torch


def batches_ahead(loader, device):
    if device.type == "cpu":
        yield from loader
        return
    copier = torch.cuda.Stream(device)
    stream = torch.cuda.current_stream(device)
    ready = None
    for batch in loader:
        with torch.cuda.stream(copier):
            moved = [t.to(device, non_blocking=True) for t in batch]
            following = moved, copier.record_event()
        if ready is not None:
            stream.wait_event(ready[1])
            for t in ready[0]:
                t.record_stream(stream)
            yield ready[0]
        ready = following
    if ready is not None:
        stream.wait_event(ready[1])
        for t in ready[0]:
            t.record_stream(stream)
        yield ready[0]
