# finding: one-gpu
import copy

import torch


def mend_visible(visible, model, batches):
    replicas = torch.nn.DataParallel(copy.deepcopy(model).to("cuda:0"))
    with torch.no_grad():
        return [replicas(batch.to("cuda:0")) for batch in batches]
