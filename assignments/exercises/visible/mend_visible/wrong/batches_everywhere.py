# finding: copied-too-often
import copy

import torch


def mend_visible(visible, model, batches):
    gpus = [f"cuda:{index}" for index in range(4)]
    replicas = [copy.deepcopy(model).to(gpu) for gpu in gpus]
    everywhere = [[batch.to(gpu) for gpu in gpus] for batch in batches]
    with torch.no_grad():
        return [replicas[n % 4](everywhere[n][n % 4]) for n in range(len(batches))]
