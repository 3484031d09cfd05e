import torch
from torch import nn
from torch.nn.parallel import scatter, parallel_apply
def train_step(replicas, batch, targets, lr):
    devs=[next(r.parameters()).device for r in replicas]
    xs, ys = scatter(batch, devs), scatter(targets, devs)
    outs = parallel_apply(replicas, xs)
    ls=[nn.functional.mse_loss(o,y) for o,y in zip(outs,ys)]
    gs=[torch.autograd.grad(l, list(r.parameters())) for l,r in zip(ls,replicas)]
    w=[len(x)/len(batch) for x in xs]
    with torch.no_grad():
        for i,r in enumerate(replicas):
            for k,p in enumerate(r.parameters()):
                p.sub_(lr*(w[0]*gs[0][k].to(devs[i])+w[1]*gs[1][k].to(devs[i])))
    return w[0]*ls[0].item()+w[1]*ls[1].item()
