# finding: decides-every-step
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        if loss > 0:
            total += loss
    return total.item() / len(batches)
