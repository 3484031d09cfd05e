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
