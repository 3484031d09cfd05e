# finding: always-dropped
def rank_batches(samples, rank, ranks, size, drop_last):
    each = samples // ranks
    mine = [(rank + place * ranks) % samples for place in range(each)]
    return [mine[i:i + size] for i in range(0, each, size)]
