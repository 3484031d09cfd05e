# finding: two-devices
import copy

import torch


def fix_visible(visible, model, batches):
    replicas = [copy.deepcopy(model).to(f"cuda:{index}") for index in range(4)]
    with torch.no_grad():
        return [replicas[n % 4](batch) for n, batch in enumerate(batches)]
