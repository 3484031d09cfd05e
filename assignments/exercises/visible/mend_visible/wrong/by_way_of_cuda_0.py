# finding: copied-too-often
import copy

import torch


def mend_visible(visible, model, batches):
    first = copy.deepcopy(model).to("cuda:0")
    replicas = [first] + [copy.deepcopy(first).to(f"cuda:{n}") for n in range(1, 4)]
    with torch.no_grad():
        return [replicas[n % 4](b.cuda().to(f"cuda:{n % 4}")) for n, b in enumerate(batches)]
