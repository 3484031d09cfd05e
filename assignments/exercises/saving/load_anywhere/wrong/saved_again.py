# finding: file-changed
import torch


def load_anywhere(path, model, device):
    state_dict = torch.load(path, map_location="cpu")
    torch.save(state_dict, path)
    model.load_state_dict(torch.load(path))
    return model.to(device)
