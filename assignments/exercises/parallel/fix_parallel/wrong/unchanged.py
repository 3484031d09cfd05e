# finding: module-not-on-the-main-gpu
import torch
from torch import nn


def fix_parallel(model, batches):
    parallel = nn.DataParallel(model, device_ids=[0, 1])
    optimizer = torch.optim.SGD(parallel.parameters(), lr=0.1)
    for batch, targets in batches:
        outputs = parallel(batch)
        loss = parallel.loss(outputs, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return parallel.state_dict()
