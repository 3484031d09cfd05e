import sys

import torch


def save(path, state):
    spare = path.with_suffix(".new")
    torch.save(state, spare)
    spare.replace(path)


def resume(path, model, optimizer, settings):
    try:
        state = torch.load(path, map_location="cpu")
    except FileNotFoundError:
        return []
    for name, value in settings.items():
        if state["settings"][name] != value:
            sys.exit(f"{path} was made with --{name} {state['settings'][name]}, not {value}")
    torch.set_rng_state(state["generator"])
    optimizer.load_state_dict(state["optimizer"])
    model.load_state_dict(state["model"])
    return list(state["log"])
