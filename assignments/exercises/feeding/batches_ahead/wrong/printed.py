# finding: nothing-returned
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

    waiting = None
    for batch in loader:
        handed_out = None if waiting is None else ready(waiting)
        waiting = fetch(batch)
        if handed_out is not None:
            print(handed_out)
    if waiting is not None:
        print(ready(waiting))
