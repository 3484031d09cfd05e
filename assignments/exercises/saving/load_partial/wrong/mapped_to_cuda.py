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
