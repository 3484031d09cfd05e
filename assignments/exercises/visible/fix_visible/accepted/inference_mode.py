import copy

import torch


def fix_visible(visible, model, batches):
    count = len(visible.split(","))
    used = min(count, len(batches))
    replicas = [copy.deepcopy(model).to(f"cuda:{n}") for n in range(used)]
    with torch.inference_mode():
        return [replicas[n % count](batch.to(f"cuda:{n % count}")) for n, batch in enumerate(batches)]
