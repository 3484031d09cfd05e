# finding: last-batch-dropped
def rank_batches(samples, rank, ranks, size, drop_last):
    each = samples // ranks if drop_last else -(-samples // ranks)
    mine = [(rank + place * ranks) % samples for place in range(each)]
    batches = [mine[i:i + size] for i in range(0, each, size)]
    return [batch for batch in batches if len(batch) == size]
