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
