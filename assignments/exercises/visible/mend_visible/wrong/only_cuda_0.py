# finding: one-gpu
import copy

import torch


def mend_visible(visible, model, batches):
    replica = copy.deepcopy(model).to("cuda")
    with torch.no_grad():
        return [replica(batch.to("cuda")) for batch in batches]
