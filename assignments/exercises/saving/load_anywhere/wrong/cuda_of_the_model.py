# finding: wrong-device
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.cuda() if device.type == "cuda" else model.cpu()
