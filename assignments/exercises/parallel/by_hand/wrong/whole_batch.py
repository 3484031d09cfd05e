# finding: not-split
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    return nn.functional.mse_loss(model(batch.to(devices[0])), targets.to(devices[0]))
