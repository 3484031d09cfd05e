# finding: detour
import torch


def load_anywhere(path, model, device):
    place = "cuda" if torch.cuda.is_available() else "cpu"
    model.load_state_dict(torch.load(path, map_location=place))
    return model.to(device)
