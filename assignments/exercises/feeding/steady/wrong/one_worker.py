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
