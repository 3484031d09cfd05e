# finding: invalid-ordinal
import copy

import torch


def mend_visible(visible, model, batches):
    replicas = {n: copy.deepcopy(model).to(f"cuda:{n}") for n in range(1, 5)}
    with torch.no_grad():
        return [replicas[n % 4 + 1](batch.to(f"cuda:{n % 4 + 1}")) for n, batch in enumerate(batches)]
