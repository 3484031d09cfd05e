from torch import nn


def parts(model, optimizer, batches):
    optimizer.zero_grad()
    *first, last = batches

    def add(batch, targets):
        (nn.functional.mse_loss(model(batch), targets) / len(batches)).backward()

    with model.no_sync():
        for pair in first:
            add(*pair)
    add(*last)
    optimizer.step()
