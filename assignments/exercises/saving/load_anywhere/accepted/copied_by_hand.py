import torch


def load_anywhere(path, model, device):
    loaded = torch.load(path, map_location="cpu", mmap=True)
    own = model.state_dict()
    if own.keys() != loaded.keys():
        raise RuntimeError("other keys")
    for key, tensor in own.items():
        tensor.copy_(loaded[key])
    return model.to(device)
