# finding: synchronized
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)
    waiting = None
    for batch in loader:
        if waiting is not None:
            waiting[1].synchronize()
        with torch.cuda.stream(copying):
            moved = [tensor.to(device, non_blocking=True) for tensor in batch]
        before, waiting = waiting, (moved, copying.record_event())
        if before is not None:
            yield before[0]
    if waiting is not None:
        waiting[1].synchronize()
        yield waiting[0]
