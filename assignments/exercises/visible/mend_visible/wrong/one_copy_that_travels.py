# finding: copied-too-often
import copy

import torch


def mend_visible(visible, model, batches):
    replica = copy.deepcopy(model)
    with torch.no_grad():
        return [replica.to(f"cuda:{n % 4}")(batch.to(f"cuda:{n % 4}"))
                for n, batch in enumerate(batches)]
