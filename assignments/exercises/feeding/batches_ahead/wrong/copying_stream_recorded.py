# finding: memory-given-away
import torch


def batches_ahead(loader, device):
    copier = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copier):
            moved = [t.to(device, non_blocking=True) for t in batch]
            done = torch.cuda.Event()
            done.record(copier)
        return moved, done

    batches = iter(loader)
    try:
        ready = fetch(next(batches))
    except StopIteration:
        return
    for batch in batches:
        following = fetch(batch)
        moved, done = ready
        stream = torch.cuda.current_stream(device)
        stream.wait_event(done)
        for t in moved:
            t.record_stream(copier)
        yield moved
        ready = following
    moved, done = ready
    stream = torch.cuda.current_stream(device)
    stream.wait_event(done)
    for t in moved:
        t.record_stream(copier)
    yield moved
