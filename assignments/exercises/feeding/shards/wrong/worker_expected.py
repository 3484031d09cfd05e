# finding: no-worker
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        number = self.rank * info.num_workers + info.id
        return iter(self.lines[number :: self.ranks * info.num_workers])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)
