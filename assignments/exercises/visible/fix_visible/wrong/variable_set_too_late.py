# finding: one-gpu
import copy
import os

import torch


def fix_visible(visible, model, batches):
    replicas = {}
    scores = []
    for step, batch in enumerate(batches):
        os.environ["CUDA_VISIBLE_DEVICES"] = visible.split(",")[step % 4]
        gpu = torch.device("cuda", 0)
        if gpu not in replicas:
            replicas[gpu] = copy.deepcopy(model).to(gpu)
        with torch.no_grad():
            scores.append(replicas[gpu](batch.to(gpu)))
    return scores
