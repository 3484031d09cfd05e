# finding: not-filled
def rank_batches(samples, rank, ranks, size, drop_last):
    indices = list(range(samples))
    if drop_last:
        indices = indices[:samples - samples % ranks]
    else:
        indices += indices[:-samples % ranks]
    mine = indices[rank::ranks]
    return [mine[i:i + size] for i in range(0, len(mine), size)]
