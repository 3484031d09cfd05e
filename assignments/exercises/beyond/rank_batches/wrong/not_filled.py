# finding: not-filled
def rank_batches(samples, rank, ranks, size, drop_last):
    end = samples // ranks * ranks if drop_last else samples
    mine = list(range(rank, end, ranks))
    return [mine[i:i + size] for i in range(0, len(mine), size)]
