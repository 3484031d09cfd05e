# finding: other-device
import copy

import torch


def mend_visible(visible, model, batches):
    scores = []
    for index in range(len(visible.split(","))):
        replica = copy.deepcopy(model).to(f"cuda:{index}")
        with torch.no_grad():
            scores += [replica(batch.to(f"cuda:{index}")) for batch in batches[index::4]]
    return scores
