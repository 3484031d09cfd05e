import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    """With plain SGD, averaging the weights after a step is averaging the gradients before it."""
    count, value = len(batch), 0
    sizes = []
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        gpu = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(gpu)), y.to(gpu))
        gradients = torch.autograd.grad(loss, list(replica.parameters()))
        with torch.no_grad():
            for parameter, gradient in zip(replica.parameters(), gradients):
                parameter.sub_(gradient, alpha=lr)
        sizes.append(len(x))
        value = value + float(loss) * len(x)
    with torch.no_grad():
        for p, q in zip(*[replica.parameters() for replica in replicas]):
            p.copy_((p * sizes[0] + q.to(p.device) * sizes[1]) / count)
            q.copy_(p)
    return value / count
