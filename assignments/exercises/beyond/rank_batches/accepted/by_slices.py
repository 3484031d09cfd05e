def rank_batches(samples, rank, ranks, size, drop_last):
    indices = list(range(samples))
    if drop_last:
        indices = indices[:samples - samples % ranks]
    else:
        while len(indices) % ranks:
            indices.append(indices[len(indices) - samples])
    mine = indices[rank::ranks]
    batches = []
    while mine:
        batches.append(tuple(mine[:size]))
        mine = mine[size:]
    return tuple(batches)
