import torch
from torch import nn


def fix_parallel(model, batches):
    model.to("cuda:0")
    parallel = nn.DataParallel(model, device_ids=[0, 1])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs, targets.to(outputs.device))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model.cpu().state_dict()
