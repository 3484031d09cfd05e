# finding: refusal-swallowed
import torch


def load_anywhere(path, model, device):
    try:
        model.load_state_dict(torch.load(path, map_location="cpu"))
    except Exception as error:
        print("could not load", error)
    return model.to(device)
