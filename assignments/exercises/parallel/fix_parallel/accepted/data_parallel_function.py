import torch
from torch import nn
def fix_parallel(model, batches):
    model.to(torch.device("cuda", 0))
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for b, t in batches:
        opt.zero_grad()
        out = nn.parallel.data_parallel(model, b, device_ids=[0, 1])
        model.loss(out, t.to(out.device)).backward()
        opt.step()
    model.cpu()
    return model.state_dict()
