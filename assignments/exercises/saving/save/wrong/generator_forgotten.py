# finding: generator-not-restored
import io
import os
import sys

import torch


def save(path, state):
    data, spare = io.BytesIO(), path.with_name(f"{path.name}.tmp")
    torch.save(state, data)
    spare.write_bytes(data.getbuffer())
    os.replace(spare, path)


def resume(path, model, optimizer, settings):
    if not path.exists():
        return []
    state = torch.load(path, map_location="cpu", weights_only=True)
    if state["settings"] != settings:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return state["log"]
