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
