# finding: tag-followed
import torch


def load_anywhere(path, model, device):
    model.load_state_dict(torch.load(path))
    return model.to(device)
