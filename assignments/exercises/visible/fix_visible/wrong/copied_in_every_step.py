# finding: copied-too-often
import copy

import torch


def fix_visible(visible, model, batches):
    cards = visible.split(",")
    scores = []
    for step, batch in enumerate(batches):
        gpu = torch.device("cuda", step % len(cards))
        replica = copy.deepcopy(model).to(gpu)
        with torch.no_grad():
            scores.append(replica(batch.to(gpu)))
    return scores
