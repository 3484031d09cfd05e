# finding: on-the-cpu
import copy

import torch


def fix_visible(visible, model, batches):
    cards = [int(entry) for entry in visible.split(",")]
    scores = []
    for step, batch in enumerate(batches):
        gpu = torch.device("cuda", cards[step % len(cards)])
        try:
            replica = copy.deepcopy(model).to(gpu)
        except RuntimeError:
            gpu, replica = torch.device("cpu"), model
        with torch.no_grad():
            scores.append(replica(batch.to(gpu)))
    return scores
