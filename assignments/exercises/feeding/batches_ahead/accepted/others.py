# %% copies_wait_for_the_training
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

# %% cuda_inside_the_stream
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

# %% stream_asked_for_once
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

# %% two_copying_streams
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
