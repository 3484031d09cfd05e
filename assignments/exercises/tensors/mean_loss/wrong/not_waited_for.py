# finding: read-too-early
def mean_loss(batches, weight):
    total = 0.0
    for batch in batches:
        loss = (batch @ weight).square().mean()
        total += loss.to("cpu", non_blocking=True)
    return total.item() / len(batches)
