import os
import shutil
import sys
import tempfile

import torch


def save(path, state):
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        torch.save(state, file)
        file.flush()
        os.fsync(file.fileno())
    shutil.move(file.name, path)


def to_cpu(storage, _location):
    return storage


def resume(path, model, optimizer, settings):
    log = []
    if path.is_file():
        kept = torch.load(path, map_location=to_cpu)
        if settings != kept["settings"]:
            print("The checkpoint has other settings.", file=sys.stderr)
            sys.exit(1)
        log = kept["log"]
        for part in (model, optimizer):
            part.load_state_dict(kept["model" if part is model else "optimizer"])
        torch.random.set_rng_state(kept["generator"])
    return log
