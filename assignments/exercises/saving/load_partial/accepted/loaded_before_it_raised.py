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
