# finding: on-the-cpu
import copy

import torch


def mend_visible(visible, model, batches):
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        return [replicas[n % 4](batch.to(f"cuda:{n % 4}")).cpu() for n, batch in enumerate(batches)]
