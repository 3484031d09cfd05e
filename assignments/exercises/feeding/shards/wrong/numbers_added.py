# finding: repeated-by-ranks
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        number, readers = self.rank + worker, self.ranks * workers
        return iter(self.lines[number::readers])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)
