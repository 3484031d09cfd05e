from torch.utils.data import DataLoader, DistributedSampler


def rank_batches(samples, rank, ranks, size, drop_last):
    data = list(range(samples))
    sampler = DistributedSampler(data, ranks, rank, shuffle=False, drop_last=drop_last)
    return [batch.tolist() for batch in DataLoader(data, size, sampler=sampler)]
