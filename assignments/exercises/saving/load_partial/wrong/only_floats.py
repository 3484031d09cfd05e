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
