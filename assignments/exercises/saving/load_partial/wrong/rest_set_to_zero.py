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
