# finding: repeated-by-workers
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        return iter(self.lines[self.rank :: self.ranks])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)
