# finding: brought-to-the-cpu
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1]).to("cuda:0")
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.module.loss(outputs.cpu(), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.module.state_dict()
