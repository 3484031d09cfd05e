# finding: key-left-over
import torch


def load_anywhere(path, model, device):
    state = torch.load(path, map_location="cpu")
    known = model.state_dict()
    model.load_state_dict({key: state[key] for key in known})
    return model.to(device)
