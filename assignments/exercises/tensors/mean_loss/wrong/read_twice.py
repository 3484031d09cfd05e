# finding: waits-again
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        total += (batch @ weight).square().mean()
    if total.item() == 0:
        return 0.0
    return total.item() / len(batches)
