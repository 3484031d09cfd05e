# %% card_by_card
import copy

import torch


def fix_visible(visible, model, batches):
    logical = {card: index for index, card in enumerate(visible.split(","))}
    scores = [None] * len(batches)
    for card, index in logical.items():
        own = copy.deepcopy(model).cuda(index).eval()
        for step in range(index, len(batches), len(logical)):
            scores[step] = own(batches[step].cuda(index)).detach()
    return tuple(scores)

# %% made_when_needed
import copy

import torch


@torch.inference_mode()
def fix_visible(visible, model, batches):
    replicas = {}
    scores = []
    for step, batch in enumerate(batches):
        gpu = f"cuda:{step % 4}"
        if gpu not in replicas:
            replicas[gpu] = copy.deepcopy(model).to(gpu)
        scores.append(replicas[gpu](batch.to(gpu)))
    return scores

# %% parameters_moved
import torch
from torch.func import functional_call


def fix_visible(visible, model, batches):
    count = len(visible.split(","))
    state = model.state_dict()
    states = [{key: value.to(f"cuda:{i}") for key, value in state.items()} for i in range(count)]
    return [
        functional_call(model, states[n % count], (batch.to(f"cuda:{n % count}"),))
        for n, batch in enumerate(batches)
    ]
