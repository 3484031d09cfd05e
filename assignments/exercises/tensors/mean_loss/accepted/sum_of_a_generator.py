def mean_loss(batches, weight):
    weight = weight.detach()
    return sum((batch @ weight).square().mean() for batch in batches).item() / len(batches)
