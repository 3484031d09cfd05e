from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        mine = self.lines[self.rank :: self.ranks]
        info = get_worker_info()
        return iter(mine if info is None else mine[info.id :: info.num_workers])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)
