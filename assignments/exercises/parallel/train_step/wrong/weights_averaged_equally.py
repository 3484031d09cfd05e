# finding: parts-weighted-equally
import torch
from torch import nn
def train_step(replicas, batch, targets, lr):
    tot=0
    for r,x,y in zip(replicas,batch.chunk(2),targets.chunk(2)):
        d=next(r.parameters()).device
        opt=torch.optim.SGD(r.parameters(),lr=lr); opt.zero_grad()
        l=nn.functional.mse_loss(r(x.to(d)),y.to(d)); l.backward(); opt.step()
        tot+=l.item()*len(x)/len(batch)
    with torch.no_grad():
        for p,q in zip(*(r.parameters() for r in replicas)):
            m=(p+q.to(p.device))/2
            p.copy_(m); q.copy_(m)
    return tot
