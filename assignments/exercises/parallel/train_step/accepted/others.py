# %% loaded_from_the_first
import torch
from torch import nn
def train_step(replicas, batch, targets, lr):
    a,b=replicas
    da,db=(next(m.parameters()).device for m in replicas)
    (x0,x1),(y0,y1)=batch.chunk(2),targets.chunk(2)
    opt=torch.optim.SGD(a.parameters(),lr=lr)
    for m in replicas: m.zero_grad(set_to_none=False)
    s0=((a(x0.to(da))-y0.to(da))**2).sum()/targets.numel()
    s1=((b(x1.to(db))-y1.to(db))**2).sum()/targets.numel()
    s0.backward(); s1.backward()
    for p,q in zip(a.parameters(),b.parameters()): p.grad+=q.grad.to(da)
    opt.step()
    b.load_state_dict(a.state_dict())
    return (s0+s1.to(da)).detach()

# %% one_graph_of_sums
import torch
from torch import nn


def train_step(replicas, batch, targets, lr):
    first, second = (next(r.parameters()).device for r in replicas)
    x0, x1 = torch.chunk(batch, 2)
    y0, y1 = torch.chunk(targets, 2)
    s0 = (replicas[0](x0.to(first)) - y0.to(first)).square().sum()
    s1 = (replicas[1](x1.to(second)) - y1.to(second)).square().sum()
    loss = (s0 + s1.to(first)) / targets.numel()
    p0, p1 = (list(r.parameters()) for r in replicas)
    grads = torch.autograd.grad(loss, p0 + p1)
    g0, g1 = grads[:len(p0)], grads[len(p0):]
    for a, b, x, y in zip(p0, p1, g0, g1):
        a.data = a.data - lr * (x + y.to(first))
        b.data = b.data - lr * (y + x.to(second))
    return loss.detach()

# %% optimizers
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

# %% weights_averaged
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
