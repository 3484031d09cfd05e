import copy
from itertools import cycle

import torch


def fix_visible(visible, model, batches):
    team = []
    for index, _ in enumerate(visible.split(",")):
        with torch.cuda.device(index):
            team.append(copy.deepcopy(model).to("cuda"))
    with torch.no_grad():
        return [
            replica(batch.to(next(replica.parameters()).device))
            for replica, batch in zip(cycle(team), batches)
        ]
