from torch.utils.data import DataLoader, Dataset


class Images(Dataset):
    def __init__(self, read, count):
        self.read, self.count = read, count

    def __len__(self):
        return self.count

    def __getitems__(self, indices):
        return self.read(indices)

    def __getitem__(self, index):
        return self.__getitems__([index])[0]


def steady(read, count):
    return DataLoader(
        Images(read, count), 30, num_workers=2, persistent_workers=True, prefetch_factor=1
    )
