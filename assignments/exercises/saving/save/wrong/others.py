# %% a_copy_that_nobody_reads
# finding: written-over
import os
import shutil
import sys

import torch


def save(path, state):
    if path.exists():
        copy = path.with_suffix(".copy")
        shutil.copy(path, copy)
        os.replace(copy, path.with_suffix(".bak"))
    torch.save(state, path)


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

# %% as_it_was
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

# %% batch_alone_compared
# finding: other-settings-accepted
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
    if state["settings"]["batch"] != settings["batch"]:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% bytes_in_place
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

# %% in_silence
# finding: said-nothing
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
        sys.exit(1)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% last_epoch_repeated
# finding: begins-again
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
    torch.set_rng_state(state["generator"])
    return state["log"][:-1]

# %% length_returned
# finding: raised-in-the-program
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
    torch.set_rng_state(state["generator"])
    return len(state["log"])

# %% log_forgotten
# finding: begins-again
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
    torch.set_rng_state(state["generator"])
    return []

# %% model_forgotten
# finding: weights-not-restored
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
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% name_misspelt
# finding: raised-in-the-program
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
    torch.set_rng_state(state["generator"])
    return states["log"]

# %% never_renamed
# finding: no-checkpoint
import sys

import torch


def save(path, state):
    torch.save(state, path.with_name(f"{path.name}.tmp"))


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

# %% never_written
# finding: file-refused
import io
import os
import sys

import torch


def save(path, state):
    data, spare = io.BytesIO(), path.with_name(f"{path.name}.tmp")
    torch.save(state, data)
    os.replace(spare, path)


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

# %% no_file_is_an_error
# finding: no-file-refused
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
    state = torch.load(path, map_location="cpu", weights_only=True)
    if state["settings"] != settings:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% nothing_returned
# finding: log-not-returned
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
    torch.set_rng_state(state["generator"])

# %% old_one_kept_aside
# finding: written-over
import sys

import torch


def save(path, state):
    if path.exists():
        path.with_suffix(".bak").write_bytes(path.read_bytes())
    torch.save(state, path)


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

# %% old_one_renamed
# finding: torn-file
import os
import sys

import torch


def save(path, state):
    if path.exists():
        os.replace(path, path.with_suffix(".bak"))
    torch.save(state, path)


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

# %% pickled
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

# %% seed_set_again
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
    torch.manual_seed(settings["seed"])
    return state["log"]

# %% settings_ignored
# finding: other-settings-accepted
import io
import os

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
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% settings_printed
# finding: other-settings-accepted
import io
import os

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
        print(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% settings_raise
# finding: a-traceback
import io
import os

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
        raise ValueError(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% to_the_gpu
# finding: no-map-location
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
    state = torch.load(path, map_location="cuda", weights_only=True)
    if state["settings"] != settings:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% to_where_the_model_is
# finding: generator-moved
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
    state = torch.load(path, map_location=next(model.parameters()).device, weights_only=True)
    if state["settings"] != settings:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% two_renames
# finding: old-one-removed
import os
import sys

import torch


def save(path, state):
    new, old = path.with_suffix(".new"), path.with_suffix(".old")
    torch.save(state, new)
    if path.exists():
        os.rename(path, old)
    os.rename(new, path)


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

# %% any_error_is_no_file
# finding: starts-over
import os
import shutil
import sys
import tempfile

import torch


def save(path, state):
    spare = path.with_name(f"{path.name}.tmp")
    torch.save(state, spare)
    os.replace(spare, path)


def resume(path, model, optimizer, settings):
    try:
        state = torch.load(path, map_location="cpu")
    except Exception:
        return []
    if state["settings"] != settings:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% moved_from_elsewhere
# finding: moved-from-elsewhere
import os
import shutil
import sys
import tempfile

import torch


def save(path, state):
    with tempfile.NamedTemporaryFile(delete=False) as file:
        torch.save(state, file)
    shutil.move(file.name, path)


def resume(path, model, optimizer, settings):
    if not path.exists():
        return []
    state = torch.load(path, map_location="cpu")
    if state["settings"] != settings:
        sys.exit(f"{path} was made with other settings: {state['settings']}")
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    torch.set_rng_state(state["generator"])
    return state["log"]

# %% begins_anew
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

# %% generator_forgotten
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

# %% old_one_removed
# finding: old-one-removed
import os
import sys

import torch


def save(path, state):
    spare = path.with_name(f"{path.name}.tmp")
    torch.save(state, spare)
    path.unlink(missing_ok=True)
    os.rename(spare, path)


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
