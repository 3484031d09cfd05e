# %% a_tuple
# finding: other-form
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False)
    missing = [k for k in own if k not in found]
    unexpected = [k for k in found if k not in own]
    mismatched = [k for k in own if k in found and k not in fitting]
    return missing, unexpected, mismatched

# %% all_buffers_loaded
# finding: rest-changed
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = dict(model.named_parameters()) | dict(model.named_buffers())
    with torch.no_grad():
        for key in own:
            if key in found and found[key].shape == own[key].shape:
                own[key].copy_(found[key])
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% all_buffers_reported
# finding: unsaved-buffer-counted
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False)
    own = dict(model.named_parameters()) | dict(model.named_buffers())
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% all_or_nothing
# finding: fits-not-loaded
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    if all(k in own and v.shape == own[k].shape for k, v in found.items()):
        model.load_state_dict(found, strict=False)
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% assigned
# finding: parameters-replaced
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False, assign=True)
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% brought_to_the_cpu
# finding: model-converted
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.cpu()
    model.load_state_dict(fitting, strict=False)
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% copied_by_name
# finding: shapes-not-compared
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    for key in own:
        if key in found:
            own[key].copy_(found[key])
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% data_replaced
# finding: model-converted
import torch


def load_partial(model, path):
    saved = torch.load(path, map_location="cpu")
    own = model.state_dict(keep_vars=True)
    for key in own:
        if key in saved and own[key].shape == saved[key].shape:
            own[key].data = saved[key]
    return {
        "missing": [k for k in own if k not in saved],
        "unexpected": [k for k in saved if k not in own],
        "mismatched": [k for k in own if k in saved and saved[k].shape != own[k].shape],
    }

# %% how_many
# finding: other-form
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False)
    return {
        "missing": sum(k not in found for k in own),
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% made_float
# finding: model-converted
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.float()
    model.load_state_dict(fitting, strict=False)
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% mapped_to_cuda
# finding: tag-followed
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cuda")
    own = model.state_dict()
    fitting = [key for key in own if key in found and own[key].shape == found[key].shape]
    model.load_state_dict({key: found[key] for key in fitting}, strict=False)
    return {
        "missing": [key for key in own if key not in found],
        "unexpected": [key for key in found if key not in own],
        "mismatched": [key for key in own if key in found and key not in fitting],
    }

# %% never_loaded
# finding: fits-not-loaded
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% only_floats
# finding: buffers-not-loaded
import torch


def load_partial(model, path):
    """Load what fits from the file `path`, and return which keys are missing, unexpected and
    mismatched, as a dict of three lists."""
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    shared = [key for key in own if key in found]
    fitting = [key for key in shared if own[key].shape == found[key].shape]
    floats = {key: found[key] for key in fitting if found[key].is_floating_point()}
    model.load_state_dict(floats, strict=False)
    return {
        "missing": [key for key in own if key not in found],
        "unexpected": [key for key in found if key not in own],
        "mismatched": [key for key in shared if key not in fitting],
    }

# %% parameters_reported
# finding: buffers-forgotten
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False)
    own = dict(model.named_parameters())
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% parts_reported
# finding: other-report
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False)
    return {
        "missing": sorted({k.partition(".")[0] for k in own if k not in found}),
        "unexpected": sorted({k.partition(".")[0] for k in found if k not in own}),
        "mismatched": [k for k in own if k in found and k not in fitting],
    }

# %% prefix_cut_unasked
# finding: keys-renamed
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    found = {k.removeprefix("module."): v for k, v in found.items()}
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False)
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% printed
# finding: nothing-returned
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False)
    print({
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    })

# %% report_of_the_fitting
# finding: mismatched-listed-elsewhere
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    result = model.load_state_dict(fitting, strict=False)
    mismatched = [k for k in own if k in found and k not in fitting]
    unexpected = [k for k in found if k not in own]
    return {"missing": result.missing_keys, "unexpected": unexpected, "mismatched": mismatched}

# %% reshaped
# finding: rest-changed
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    for key in own:
        if key in found and own[key].numel() == found[key].numel():
            own[key].copy_(found[key].reshape(own[key].shape))
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% rest_set_to_zero
# finding: rest-changed
import torch


def load_partial(model, path):
    saved = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fits = {k: v for k, v in saved.items() if k in own and v.shape == own[k].shape}
    for k in own:
        if k not in fits:
            own[k].zero_()
    model.load_state_dict(fits, strict=False)
    return {
        "missing": [k for k in own if k not in saved],
        "unexpected": [k for k in saved if k not in own],
        "mismatched": [k for k in own if k in saved and saved[k].shape != own[k].shape],
    }

# %% saved_clean
# finding: file-changed
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    torch.save(fitting, path)
    model.load_state_dict(fitting, strict=False)
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% spread_if_possible
# finding: rest-changed
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    for key in own:
        if key in found:
            try:
                own[key].copy_(found[key])
            except RuntimeError:
                pass
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% unloaded_is_unexpected
# finding: mismatched-listed-elsewhere
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False)
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in fitting],
        "mismatched": [k for k in own if k in found and k not in fitting],
    }

# %% only_read
# finding: nothing-returned
import torch


def load_partial(model, path):
    torch.load(path, map_location="cpu")

# %% parameters_loaded
# finding: buffers-not-loaded
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if key in found and found[key].shape == parameter.shape:
                parameter.copy_(found[key])
    return {
        "missing": [k for k in own if k not in found],
        "unexpected": [k for k in found if k not in own],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }

# %% sides_swapped
# finding: sides-swapped
import torch


def load_partial(model, path):
    found = torch.load(path, map_location="cpu")
    own = model.state_dict()
    fitting = {k: v for k, v in found.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fitting, strict=False)
    return {
        "missing": [k for k in found if k not in own],
        "unexpected": [k for k in own if k not in found],
        "mismatched": [k for k in own if k in found and own[k].shape != found[k].shape],
    }
