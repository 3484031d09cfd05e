from torch.utils.data import BatchSampler, DataLoader, Dataset, default_collate


class Batches(Dataset):
    def __init__(self, read):
        self.read = read

    def __getitem__(self, indices):
        return default_collate(self.read(indices))


def steady(read, count):
    batches = BatchSampler(range(count), 30, drop_last=False)
    settings = {"num_workers": 2, "persistent_workers": True, "multiprocessing_context": "fork"}
    return DataLoader(Batches(read), sampler=batches, batch_size=None, **settings)
