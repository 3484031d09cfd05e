# finding: filled-differently
def rank_batches(samples, rank, ranks, size, drop_last):
    each = samples // ranks if drop_last else -(-samples // ranks)
    mine = [min(rank + place * ranks, samples - 1) for place in range(each)]
    return [mine[i:i + size] for i in range(0, each, size)]
