# %% shuffled
# finding: other-batches
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]

    def __getitems__(self, indices):
        return self.read(indices)


def steady(read, count):
    return DataLoader(Images(read, count), batch_size=30, num_workers=2, persistent_workers=True, shuffle=True)

# %% last_one_dropped
# finding: other-batches
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]

    def __getitems__(self, indices):
        return self.read(indices)


def steady(read, count):
    return DataLoader(Images(read, count), batch_size=30, num_workers=2, persistent_workers=True, drop_last=True)

# %% still_a_loop
# finding: one-request-for-an-image
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]

    def __getitems__(self, indices):
        return [self[index] for index in indices]


def steady(read, count):
    return DataLoader(Images(read, count), batch_size=30, num_workers=2, persistent_workers=True)

# %% only_the_dataset
# finding: other-form
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]

    def __getitems__(self, indices):
        return self.read(indices)


def steady(read, count):
    return Images(read, count)

# %% printed
# finding: nothing-returned
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]

    def __getitems__(self, indices):
        return self.read(indices)


def steady(read, count):
    print(DataLoader(Images(read, count), batch_size=30))

# %% read_before
# finding: other-workers
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]


def steady(read, count):
    images = read(range(count))
    return DataLoader(images, batch_size=30, num_workers=2, persistent_workers=True)

# %% four_workers
# finding: other-number-of-workers
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]

    def __getitems__(self, indices):
        return self.read(indices)


def steady(read, count):
    return DataLoader(Images(read, count), batch_size=30, num_workers=4, persistent_workers=True)

# %% one_worker
# finding: other-number-of-workers
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]

    def __getitems__(self, indices):
        return self.read(indices)


def steady(read, count):
    return DataLoader(Images(read, count), batch_size=30, num_workers=1, persistent_workers=True)

# %% only_the_first
# finding: images-not-listed
from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        return self.read([index])[0]

    def __getitems__(self, indices):
        return self.read(indices)[0]


def steady(read, count):
    return DataLoader(Images(read, count), batch_size=30, num_workers=2, persistent_workers=True)
