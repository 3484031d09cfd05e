# finding: raised-while-iterating
def prefetch(loader, device):
    waiting = []
    for batch in loader:
        waiting.append(batch.to(device, non_blocking=True))
        if len(waiting) > 1:
            yield waiting.pop(0)
    yield from waiting
