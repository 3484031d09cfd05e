# finding: in-blocks
def rank_batches(samples, rank, ranks, size, drop_last):
    each = samples // ranks if drop_last else -(-samples // ranks)
    dealt = [i % samples for i in range(each * ranks)]
    batches = []
    for start in range(0, len(dealt), size * ranks):
        whole = dealt[start:start + size * ranks]
        part = len(whole) // ranks
        batches.append(whole[rank * part:(rank + 1) * part])
    return batches
