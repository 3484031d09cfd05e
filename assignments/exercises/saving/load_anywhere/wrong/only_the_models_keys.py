# finding: key-left-over
import torch


def load_anywhere(path, model, device):
    state = torch.load(path, map_location="cpu", weights_only=True)
    for key, tensor in model.state_dict().items():
        tensor.copy_(state[key])
    return model.to(device)
