from itertools import cycle

import torch


def batches_ahead(loader, device):
    if device.type == "cpu":
        yield from loader
        return
    streams = cycle([torch.cuda.Stream(device), torch.cuda.Stream(device)])
    before = None
    for batch, stream in zip(loader, streams):
        with torch.cuda.stream(stream):
            upcoming = [tensor.to(device, non_blocking=True) for tensor in batch]
        if before is not None:
            yield handed_over(*before, device)
        before = upcoming, stream
    if before is not None:
        yield handed_over(*before, device)


def handed_over(batch, stream, device):
    training = torch.cuda.current_stream(device)
    training.wait_stream(stream)
    for tensor in batch:
        tensor.record_stream(training)
    return batch
