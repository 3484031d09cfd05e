import torch


def batches_ahead(loader, device):
    if device.type == "cpu":
        yield from loader
        return
    copying = torch.cuda.Stream(device)
    waiting = []
    for batch in loader:
        training = torch.cuda.current_stream(device)
        if waiting:
            training.wait_stream(copying)
        with torch.cuda.stream(copying):  # this also makes `device` the current one
            waiting.append([tensor.cuda(non_blocking=True) for tensor in batch])
        if len(waiting) > 1:
            yield waiting[0]
            # Back here, the training on it has been queued, and its memory is still in use.
            for tensor in waiting.pop(0):
                tensor.record_stream(training)
    if waiting:
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in waiting[0]:
            tensor.record_stream(training)
        yield waiting[0]
