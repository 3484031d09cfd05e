# finding: begins-again
import io
import os

import torch


def save(path, state):
    data, spare = io.BytesIO(), path.with_name(f"{path.name}.tmp")
    torch.save(state, data)
    spare.write_bytes(data.getbuffer())
    os.replace(spare, path)


def resume(path, model, optimizer, settings):
    return []
