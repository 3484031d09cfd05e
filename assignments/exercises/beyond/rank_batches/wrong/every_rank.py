# finding: all-ranks
def rank_batches(samples, rank, ranks, size, drop_last):
    each = samples // ranks if drop_last else -(-samples // ranks)
    dealt = [i % samples for i in range(each * ranks)]
    return [dealt[i:i + size] for i in range(0, len(dealt), size)]
