# finding: one-stream
def batches_ahead(loader, device):
    waiting = []
    for batch in loader:
        waiting.append([tensor.to(device, non_blocking=True) for tensor in batch])
        if len(waiting) > 1:
            yield waiting.pop(0)
    yield from waiting
