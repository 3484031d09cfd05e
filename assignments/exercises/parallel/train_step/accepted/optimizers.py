import torch
import torch.nn.functional as F


def train_step(replicas, batch, targets, lr):
    optimizers = [torch.optim.SGD(replica.parameters(), lr=lr) for replica in replicas]
    losses, shares = [], []
    for replica, optimizer, x, y in zip(replicas, optimizers, torch.chunk(batch, 2), torch.chunk(targets, 2)):
        gpu = next(replica.parameters()).device
        optimizer.zero_grad()
        loss = F.mse_loss(replica(x.to(gpu)), y.to(gpu))
        loss.backward()
        losses.append(loss)
        shares.append(len(x) / len(batch))
    for p, q in zip(replicas[0].parameters(), replicas[1].parameters()):
        mean = shares[0] * p.grad + shares[1] * q.grad.to(p.device)
        p.grad = mean
        q.grad = mean.to(q.device)
    for optimizer in optimizers:
        optimizer.step()
    return losses[0].detach() * shares[0] + losses[1].detach().to(losses[0].device) * shares[1]
