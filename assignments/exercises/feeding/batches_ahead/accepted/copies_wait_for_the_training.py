import torch


def batches_ahead(loader, device):
    if device.type == "cpu":
        yield from loader
        return
    copying = torch.cuda.Stream(device=device)
    upcoming = None
    for batch in loader:
        training = torch.cuda.current_stream(device)
        ready = upcoming
        training.wait_stream(copying)
        # Memory of a batch that is gone may be taken again: not before its training is done.
        copying.wait_stream(training)
        with torch.cuda.stream(copying):
            upcoming = [tensor.cuda(device, non_blocking=True) for tensor in batch]
        if ready is not None:
            yield ready
    if upcoming is not None:
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        yield upcoming
        copying.wait_stream(training)
