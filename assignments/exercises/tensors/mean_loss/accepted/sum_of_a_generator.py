def mean_loss(batches, weight):
    return sum((batch @ weight).square().mean() for batch in batches).item() / len(batches)
