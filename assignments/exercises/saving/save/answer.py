import io
import os
import sys

import torch


def save(path, state):
    """Let `path` hold `state`; whenever this is killed, it holds the old state or the new one."""
    ### BEGIN SOLUTION
    data, spare = io.BytesIO(), path.with_name(f"{path.name}.{os.getpid()}.tmp")
    torch.save(state, data)  # first into memory, so that a full disk is an OSError
    spare.write_bytes(data.getbuffer())
    with spare.open("rb+") as file:
        os.fsync(file)  # or a power cut could leave the new name without its bytes
    os.replace(spare, path)
    ### END SOLUTION


def resume(path, model, optimizer, settings):
    """Go on from the checkpoint `path`, if there is one; returns the log of its epochs."""
    ### BEGIN SOLUTION
    if not path.exists():
        return []
    state = torch.load(path, map_location="cpu", weights_only=True)
    if others := {name: was for name, was in state["settings"].items() if was != settings[name]}:
        sys.exit(f"{path} was made with other settings: {others}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])  # from which the order of the images is drawn
    return state["log"]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# import tempfile
# from pathlib import Path
#
# with tempfile.TemporaryDirectory() as folder:
#     save(Path(folder, "run.pt"), {"log": []})
#     print(torch.load(Path(folder, "run.pt")), [file.name for file in Path(folder).iterdir()])
