from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        number = worker * self.ranks + self.rank
        yield from islice(self.lines, number, None, workers * self.ranks)


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)
