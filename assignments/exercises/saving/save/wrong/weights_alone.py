# finding: state-incomplete
import os

import torch


def save(path, state):
    spare = path.with_name(f"{path.name}.tmp")
    torch.save(state["model"], spare)
    os.replace(spare, path)


def resume(path, model, optimizer, settings):
    if path.exists():
        model.load_state_dict(torch.load(path, map_location="cpu", weights_only=True))
    return []
