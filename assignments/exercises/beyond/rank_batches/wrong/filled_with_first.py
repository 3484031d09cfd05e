# finding: filled-differently
def rank_batches(samples, rank, ranks, size, drop_last):
    each = samples // ranks if drop_last else -(-samples // ranks)
    mine = [rank + place * ranks for place in range(each)]
    mine = [i if i < samples else 0 for i in mine]
    return [mine[i:i + size] for i in range(0, each, size)]
