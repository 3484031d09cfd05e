# finding: written-over
import io
import sys

import torch


def save(path, state):
    data = io.BytesIO()
    torch.save(state, data)
    path.write_bytes(data.getbuffer())


def resume(path, model, optimizer, settings):
    if not path.exists():
        return []
    state = torch.load(path, map_location="cpu", weights_only=True)
    if state["settings"] != settings:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]
