import torch


class Ahead:
    def __init__(self, loader, device):
        self.batches, self.device, self.waiting = iter(loader), device, []
        self.fetch()

    def fetch(self):
        for batch in self.batches:
            self.waiting.append(self.move(batch))
            break

    def move(self, item):
        match item:
            case torch.Tensor():
                return item.to(self.device, non_blocking=True)
            case list():
                return list(map(self.move, item))
            case tuple():
                return tuple(map(self.move, item))
            case dict():
                return dict(zip(item, map(self.move, item.values())))
        return item

    def __iter__(self):
        return self

    def __next__(self):
        self.fetch()
        if not self.waiting:
            raise StopIteration
        return self.waiting.pop(0)


def prefetch(loader, device):
    return Ahead(loader, device)
