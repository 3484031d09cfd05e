# finding: one-replica-only
import torch
from torch import nn
def train_step(replicas, batch, targets, lr):
    a,b=replicas
    ids=[next(m.parameters()).device.index for m in replicas]
    dp=nn.DataParallel(a,ids)
    a.zero_grad()
    out=dp(batch); loss=nn.functional.mse_loss(out,targets.to(out.device)); loss.backward()
    with torch.no_grad():
        for p in a.parameters(): p-=lr*p.grad
    b.load_state_dict(a.state_dict())
    return loss.item()
