import torch

END = object()


def batches_ahead(loader, device):
    if device.type == "cpu":
        yield from loader
        return
    copying = torch.cuda.Stream(device)
    batches = iter(loader)

    def fetch():
        batch = next(batches, END)
        if batch is END:
            return None
        with torch.cuda.stream(copying):
            moved = tuple(tensor.to(device, non_blocking=True) for tensor in batch)
            return moved, copying.record_event()

    upcoming = fetch()
    while upcoming:
        (batch, arrived), upcoming = upcoming, fetch()
        training = torch.cuda.current_stream(device)
        training.wait_event(arrived)
        for tensor in batch:
            tensor.record_stream(training)
        yield batch
