# finding: input-changed
import copy

import torch


def mend_visible(visible, model, batches):
    scores = []
    for step, batch in enumerate(batches):
        gpu = torch.device("cuda", step % 4)
        with torch.no_grad():
            scores.append(model.to(gpu)(batch.to(gpu)))
    return scores
