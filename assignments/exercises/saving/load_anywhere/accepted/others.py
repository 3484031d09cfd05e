# %% data_by_hand
import torch


def load_anywhere(path, model, device):
    loaded = torch.load(path, map_location="cpu")
    if set(loaded) != set(model.state_dict()):
        raise KeyError("other keys")
    for name, parameter in model.named_parameters():
        parameter.data = loaded[name].to(device, parameter.dtype)
    for key, buffer in list(model.named_buffers()):
        module, _, name = key.rpartition(".")
        setattr(model.get_submodule(module), name, loaded[key].to(device, buffer.dtype))
    return model

# %% function_of_the_storage
import torch


def load_anywhere(path, model, device):
    with open(path, "rb") as file:
        loaded = torch.load(file, map_location=lambda storage, tag: storage)
    result = model.to(device=device).load_state_dict(loaded, strict=False)
    if result.missing_keys or result.unexpected_keys:
        raise ValueError(f"{path} is the file of another model")
    return model
