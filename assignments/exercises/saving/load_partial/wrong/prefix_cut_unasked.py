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
