# finding: not-by-torch
import os
import pickle
import sys

import torch


def save(path, state):
    spare = path.with_name(f"{path.name}.tmp")
    spare.write_bytes(pickle.dumps(state))
    os.replace(spare, path)


def resume(path, model, optimizer, settings):
    if not path.exists():
        return []
    state = pickle.loads(path.read_bytes())
    if state["settings"] != settings:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]
