import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    """One loss of the gathered outputs, as DataParallel has it, and one backward pass."""
    gpus = [next(replica.parameters()).device for replica in replicas]
    for replica in replicas:
        for parameter in replica.parameters():
            parameter.grad = None
    sums = []
    for replica, gpu, x, y in zip(replicas, gpus, batch.split(-(-len(batch) // 2)), targets.chunk(2)):
        sums.append(((replica(x.to(gpu)) - y.to(gpu)) ** 2).sum().to(gpus[0]))
    loss = sum(sums) / targets.numel()
    loss.backward()
    for p, q in zip(replicas[0].parameters(), replicas[1].parameters()):
        gradients = p.grad.clone(), q.grad.clone()
        p.data -= lr * (gradients[0] + gradients[1].to(gpus[0]))
        q.data -= lr * (gradients[0].to(gpus[1]) + gradients[1])
    print(loss)
    return loss
