# %% a_copy_of_the_model
# finding: model-elsewhere
import copy

import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    loaded = copy.deepcopy(model)
    loaded.load_state_dict({key[7:]: value for key, value in checkpoint["model"].items()})
    loaded.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    return [loaded((batch.to(device) - mean) / std) for batch in batches]

# %% all_on_the_cpu
# finding: wrong-device
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    mean, std = checkpoint["mean"], checkpoint["std"]
    outputs = []
    for batch in batches:
        outputs.append(model((batch - mean) / std))
    return outputs

# %% back_and_forth
# finding: copied-in-every-step
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict({key[7:]: value for key, value in checkpoint["model"].items()})
    outputs = []
    for batch in batches:
        model.to(device)
        batch = ((batch - checkpoint["mean"]) / checkpoint["std"]).to(device)
        outputs.append(model(batch))
        model.cpu()
    model.to(device)
    return outputs

# %% current_gpu
# finding: wrong-device
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    place = "cuda" if torch.cuda.is_available() else "cpu"
    model.to(place)
    mean, std = checkpoint["mean"].to(place), checkpoint["std"].to(place)
    outputs = []
    for batch in batches:
        batch = batch.to(place)
        outputs.append(model((batch - mean) / std))
    return outputs

# %% first_error_only
# finding: keys-do-not-fit
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict(checkpoint["model"])
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs

# %% last_batch_only
# finding: other-form
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs[-1]

# %% last_two_names
# finding: keys-do-not-fit
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location=device)
    weights = {".".join(key.split(".")[-2:]): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(weights)
    model.to(device)
    mean, std = checkpoint["mean"], checkpoint["std"]
    return [model((batch.to(device) - mean) / std) for batch in batches]

# %% lists_of_numbers
# finding: other-form
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return [output.tolist() for output in outputs]

# %% loaded_in_the_loop
# finding: copied-in-every-step
import torch


def fix_load(path, model, batches, device):
    outputs = []
    for batch in batches:
        checkpoint = torch.load(path, map_location="cpu")
        state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
        model.load_state_dict(state_dict)
        model.to(device)
        mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
        outputs.append(model((batch.to(device) - mean) / std))
    return outputs

# %% mean_forgotten
# finding: other-outputs
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model(batch / std))
    return outputs

# %% mean_moved_in_the_loop
# finding: copied-in-every-step
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    model.load_state_dict({k.removeprefix("module."): v for k, v in checkpoint["model"].items()})
    model.to(device)
    mean, std = checkpoint["mean"], checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean.to(device)) / std))
    return outputs

# %% model_stays
# finding: two-devices
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location=device)
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    mean, std = checkpoint["mean"], checkpoint["std"]
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs

# %% normalisation_dropped
# finding: not-normalised
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model(batch))
    return outputs

# %% nothing_returned
# finding: nothing-returned
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))

# %% one_tag_mapped
# finding: gpu-not-here
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location={"cuda:7": "cpu"})
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs

# %% outputs_moved
# finding: model-elsewhere
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    mean, std = checkpoint["mean"], checkpoint["std"]
    outputs = []
    for batch in batches:
        outputs.append(model((batch - mean) / std).to(device))
    return outputs

# %% replaced_everywhere
# finding: keys-do-not-fit
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location=device)
    weights = {key.replace("module.", ""): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(weights)
    model.to(device)
    mean, std = checkpoint["mean"], checkpoint["std"]
    return [model((batch.to(device) - mean) / std) for batch in batches]

# %% spread_over_all_gpus
# finding: detour
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = torch.nn.DataParallel(model)
    model.load_state_dict(checkpoint["model"])
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    return [model((batch.to(device) - mean) / std) for batch in batches]

# %% stacked
# finding: other-form
import torch


def fix_load(path, model, batches, device):
    checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return torch.stack(outputs)

# %% tag_followed_if_possible
# finding: detour
import torch


def fix_load(path, model, batches, device):
    try:
        checkpoint = torch.load(path)
    except RuntimeError:
        checkpoint = torch.load(path, map_location="cpu")
    state_dict = {key.removeprefix("module."): value for key, value in checkpoint["model"].items()}
    model.load_state_dict(state_dict)
    model.to(device)
    mean, std = checkpoint["mean"].to(device), checkpoint["std"].to(device)
    outputs = []
    for batch in batches:
        batch = batch.to(device)
        outputs.append(model((batch - mean) / std))
    return outputs
