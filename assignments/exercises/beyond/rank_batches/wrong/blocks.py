# finding: in-blocks
def rank_batches(samples, rank, ranks, size, drop_last):
    each = samples // ranks if drop_last else -(-samples // ranks)
    mine = [i % samples for i in range(rank * each, (rank + 1) * each)]
    return [mine[i:i + size] for i in range(0, each, size)]
