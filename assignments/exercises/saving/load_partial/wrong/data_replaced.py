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
