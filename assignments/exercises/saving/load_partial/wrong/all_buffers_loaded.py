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
