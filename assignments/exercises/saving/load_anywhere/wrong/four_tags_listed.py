# finding: tag-followed
import torch


def load_anywhere(path, model, device):
    tags = {f"cuda:{i}": "cuda:0" for i in range(4)}
    model.load_state_dict(torch.load(path, map_location=tags))
    return model.to(device)
