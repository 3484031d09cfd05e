# finding: not-in-batches
def rank_batches(samples, rank, ranks, size, drop_last):
    each = samples // ranks if drop_last else -(-samples // ranks)
    return [(rank + place * ranks) % samples for place in range(each)]
