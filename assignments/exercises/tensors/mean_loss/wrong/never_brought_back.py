# finding: a-tensor
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss
    return total / len(batches)
