# finding: replicas-differ
import torch
from torch import nn
def train_step(replicas, batch, targets, lr):
    tot=0
    for r,x,y in zip(replicas,batch.chunk(2),targets.chunk(2)):
        d=next(r.parameters()).device
        r.zero_grad()
        l=nn.functional.mse_loss(r(x.to(d)),y.to(d))*len(x)/len(batch); l.backward()
        tot+=l.item()
    with torch.no_grad():
        for p,q in zip(*(r.parameters() for r in replicas)):
            p.grad+=q.grad.to(p.device); q.grad+=p.grad.to(q.device)
            p-=lr*p.grad; q-=lr*q.grad
    return tot
