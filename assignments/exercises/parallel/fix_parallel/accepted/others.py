# %% data_parallel_function
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

# %% targets_first
import torch
from torch import nn


def fix_parallel(model, batches):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    parallel = nn.DataParallel(model.cuda(0), [0, 1])
    history = []
    for batch, targets in batches:
        targets = targets.to("cuda:0")
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        history.append(loss.item())
        print(history, loss)
    return parallel.module.state_dict()

# %% through_the_wrapper
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to("cuda:0"))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()
