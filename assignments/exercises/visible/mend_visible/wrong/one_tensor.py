# finding: other-form
import copy

import torch


def mend_visible(visible, model, batches):
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        scores = [replicas[n % 4](batch.to(f"cuda:{n % 4}")) for n, batch in enumerate(batches)]
    return torch.cat([score.cpu() for score in scores])
