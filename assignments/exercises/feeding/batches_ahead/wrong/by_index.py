# finding: index-asked-for
import torch


def batches_ahead(loader, device):
    copying = torch.cuda.Stream(device)

    def fetch(batch):
        with torch.cuda.stream(copying):
            return [tensor.to(device, non_blocking=True) for tensor in batch]

    def ready(batch):
        training = torch.cuda.current_stream(device)
        training.wait_stream(copying)
        for tensor in batch:
            tensor.record_stream(training)
        return batch

    number = 0
    while True:
        yield ready(fetch(loader[number]))
        number += 1
