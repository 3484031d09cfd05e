# finding: mean-over-samples-only
import torch
from torch import nn
def train_step(replicas, batch, targets, lr):
    tot=0
    for r,x,y in zip(replicas,batch.chunk(2),targets.chunk(2)):
        d=next(r.parameters()).device
        r.zero_grad()
        l=nn.functional.mse_loss(r(x.to(d)),y.to(d), reduction="sum"); l.backward()
        tot+=l.item()
    with torch.no_grad():
        for p,q in zip(*(r.parameters() for r in replicas)):
            g=(p.grad+q.grad.to(p.device))/len(batch)
            p-=lr*g; q-=lr*g.to(q.device)
    return tot/len(batch)
