# finding: input-changed
import copy

import torch


def mend_visible(visible, model, batches):
    model.eval()
    replicas = {}
    scores = []
    for step, batch in enumerate(batches):
        gpu = torch.device("cuda", step % 4)
        if gpu not in replicas:
            replicas[gpu] = copy.deepcopy(model).to(gpu)
        with torch.no_grad():
            scores.append(replicas[gpu](batch.to(gpu)))
    return scores
