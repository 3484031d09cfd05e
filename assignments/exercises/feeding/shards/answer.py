from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    """The lines of a file that this worker of this rank reads."""

    def __init__(self, lines, rank, ranks):
        ### BEGIN SOLUTION
        self.lines, self.rank, self.ranks = lines, rank, ranks
        ### END SOLUTION

    def __iter__(self):
        ### BEGIN SOLUTION
        # In the main process there is no worker: it reads alone for its rank.
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        # All workers of all ranks are numbered, and each takes every so many-th line.
        number, readers = self.rank * workers + worker, self.ranks * workers
        return iter(self.lines[number::readers])
        ### END SOLUTION


def shards(lines, rank, ranks):
    """Return the dataset of one rank."""
    return Lines(lines, rank, ranks)


# %% try
# Try it out here: remove the # signs and run.
# from torch.utils.data import DataLoader
# for rank in range(2):
#     print(list(DataLoader(shards("abcdefg", rank, 2), batch_size=None, num_workers=2)))
