import torch


class Ahead:
    def __init__(self, loader, device):
        self.batches, self.device = iter(loader), device
        self.stream = torch.cuda.Stream(device)
        self.fetch()

    def fetch(self):
        self.upcoming = None
        for batch in self.batches:
            with self.stream:
                self.upcoming = [
                    torch.empty_like(tensor, device=self.device).copy_(tensor, non_blocking=True)
                    for tensor in batch
                ]
            break

    def __iter__(self):
        return self

    def __next__(self):
        batch = self.upcoming
        if batch is None:
            raise StopIteration
        training = torch.cuda.current_stream(self.device)
        training.wait_event(self.stream.record_event())
        for tensor in batch:
            tensor.record_stream(training)
        self.fetch()
        return batch


def batches_ahead(loader, device):
    return Ahead(loader, device) if device.type == "cuda" else iter(loader)
