# finding: wrapper-used
from torch import nn
from torch.nn.parallel import gather, parallel_apply, replicate, scatter


def by_hand(model, batch, targets, devices):
    outputs = nn.DataParallel(model, devices)(batch)
    return nn.functional.mse_loss(outputs, targets.to(devices[0]))
