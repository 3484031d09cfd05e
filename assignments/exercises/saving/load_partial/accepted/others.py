# %% loaded_before_it_raised
import torch


def load_partial(model, path):
    found, own = torch.load(path, map_location="cpu", weights_only=True), model.state_dict()
    try:
        # It loads all keys that fit before it raises for the shapes of the others.
        model.load_state_dict(found, strict=False)
    except RuntimeError:
        pass
    shapes = {key: tensor.shape for key, tensor in own.items()}
    return {
        "missing": [key for key in shapes if key not in found],
        "unexpected": [key for key in found if key not in shapes],
        "mismatched": [key for key in shapes if key in found and found[key].shape != shapes[key]],
    }

# %% mapped_to_the_model
import torch


def load_partial(model, path):
    saved = torch.load(path, map_location=next(model.parameters()).device)
    own = model.state_dict()
    fits = {k: v for k, v in saved.items() if k in own and v.shape == own[k].shape}
    model.load_state_dict(fits, strict=False)
    return {
        "missing": [k for k in own if k not in saved],
        "unexpected": [k for k in saved if k not in own],
        "mismatched": [k for k in own if k in saved and saved[k].shape != own[k].shape],
    }
