# finding: last-batch-dropped
def rank_batches(samples, rank, ranks, size, drop_last):
    each = -(-samples // ranks)
    mine = [(rank + place * ranks) % samples for place in range(each)]
    batches = [mine[i:i + size] for i in range(0, each, size)]
    return [b for b in batches if len(b) == size] if drop_last else batches
