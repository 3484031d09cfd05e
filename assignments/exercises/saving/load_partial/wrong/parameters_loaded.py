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
