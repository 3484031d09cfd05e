# finding: waits-every-step
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss.cpu()
    return total.item() / len(batches)
