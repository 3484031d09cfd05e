# finding: own-gradient-twice
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    devices = [next(r.parameters()).device for r in replicas]
    parts = [p.to(d) for p, d in zip(batch.chunk(2), devices)]
    goals = [t.to(d) for t, d in zip(targets.chunk(2), devices)]
    losses = []
    for replica, part, goal in zip(replicas, parts, goals):
        replica.zero_grad()
        loss = nn.functional.mse_loss(replica(part), goal)
        (loss * len(part) / len(batch)).backward()
        losses.append(loss.item() * len(part) / len(batch))
    with torch.no_grad():
        for a, b in zip(replicas[0].parameters(), replicas[1].parameters()):
            a.grad += b.grad.to(a.device)
            b.grad += a.grad.to(b.device)
            a -= lr * a.grad
            b -= lr * b.grad
    return sum(losses)
