# finding: invalid-ordinal
import copy

import torch


def fix_visible(visible, model, batches):
    cards = [int(entry) for entry in visible.split(",")]
    scores = []
    for step, batch in enumerate(batches):
        gpu = torch.device("cuda", cards[step % len(cards)])
        replica = copy.deepcopy(model).to(gpu)
        with torch.no_grad():
            scores.append(replica(batch.to(gpu)))
    return scores
