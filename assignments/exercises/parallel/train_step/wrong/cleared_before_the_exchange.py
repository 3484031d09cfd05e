# finding: none-there
from torch import nn


def train_step(replicas, batch, targets, lr):
    total = 0.0
    for replica, x, y in zip(replicas, batch.chunk(2), targets.chunk(2)):
        device = next(replica.parameters()).device
        loss = nn.functional.mse_loss(replica(x.to(device)), y.to(device)) * len(x) / len(batch)
        loss.backward()
        total += loss.item()
        replica.zero_grad()
    for first, second in zip(replicas[0].parameters(), replicas[1].parameters()):
        gradient = first.grad + second.grad.to(first.device)
        first.data -= lr * gradient
        second.data -= lr * gradient.to(second.device)
    return total
