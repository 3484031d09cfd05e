# finding: cannot-go-on
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
    if path.exists():
        sys.exit("--resume: this program cannot go on")
    return []
