# %% ranks_in_workers
# finding: repeated-by-ranks
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        number, readers = self.rank * self.ranks + worker, self.ranks * workers
        return iter(self.lines[number::readers])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% readers_added
# finding: lines-missing
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        number, readers = self.rank * workers + worker, self.ranks + workers
        return iter(self.lines[number::readers])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% numbers
# finding: lines-missing
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        number, readers = self.rank * workers + worker, self.ranks * workers
        return iter(range(number, len(self.lines), readers))


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% with_numbers
# finding: other-lines
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        number, readers = self.rank * workers + worker, self.ranks * workers
        yield from self.lines[number::readers]
        yield number


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% twice
# finding: repeated-by-one
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        number, readers = self.rank * workers + worker, self.ranks * workers
        return iter(2 * self.lines[number::readers])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% only_the_first_worker
# finding: repeated-by-workers
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        return iter(self.lines[self.rank :: self.ranks] if worker == 0 else self.lines[:1])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% nothing
# finding: nothing-returned
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        return iter(self.lines[worker::workers])


def shards(lines, rank, ranks):
    Lines(lines, rank, ranks)

# %% a_number
# finding: other-form
from itertools import islice

from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        return iter(self.lines[worker::workers])


def shards(lines, rank, ranks):
    return len(lines)

# %% a_slip
# finding: dataset-fails
from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        worker, workers = (info.id, info.num_worker) if info else (0, 1)
        number, readers = self.rank * workers + worker, self.ranks * workers
        return iter(self.lines[number::readers])


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% worker_0_alone
# finding: worker-idle
from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        info = get_worker_info()
        if info and info.id > 0:
            return
        yield from self.lines[self.rank :: self.ranks]


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% rank_0_alone
# finding: rank-idle
from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank = lines, rank

    def __iter__(self):
        if self.rank > 0:
            return
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        yield from self.lines[worker::workers]


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% asked_in_init
# finding: repeated-by-workers
from torch.utils.data import IterableDataset, get_worker_info


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        info = get_worker_info()
        worker, workers = (info.id, info.num_workers) if info else (0, 1)
        self.mine = lines[rank * workers + worker :: ranks * workers]

    def __iter__(self):
        return iter(self.mine)


def shards(lines, rank, ranks):
    return Lines(lines, rank, ranks)

# %% a_list
# finding: other-form
from torch.utils.data import get_worker_info


def shards(lines, rank, ranks):
    info = get_worker_info()
    worker, workers = (info.id, info.num_workers) if info else (0, 1)
    return lines[rank * workers + worker :: ranks * workers]

# %% a_loader
# finding: other-form
from torch.utils.data import DataLoader, IterableDataset


class Lines(IterableDataset):
    def __init__(self, lines, rank, ranks):
        self.lines, self.rank, self.ranks = lines, rank, ranks

    def __iter__(self):
        return iter(self.lines[self.rank :: self.ranks])


def shards(lines, rank, ranks):
    return DataLoader(Lines(lines, rank, ranks), batch_size=None, num_workers=2)

# %% numbers_added
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
