import torch


def load_anywhere(path, model, device):
    with open(path, "rb") as file:
        loaded = torch.load(file, map_location=lambda storage, tag: storage)
    result = model.to(device=device).load_state_dict(loaded, strict=False)
    if result.missing_keys or result.unexpected_keys:
        raise ValueError(f"{path} is the file of another model")
    return model
