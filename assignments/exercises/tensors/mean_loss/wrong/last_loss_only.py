# finding: other-result
def mean_loss(batches, weight):
    for batch in batches:
        loss = (batch @ weight).square().mean()
    return loss.item()
