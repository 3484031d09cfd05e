# finding: refusal-swallowed
import torch


def load_anywhere(path, model, device):
    saved = torch.load(path, map_location=device)
    tensors = {key: value for key, value in saved.items() if torch.is_tensor(value)}
    model.load_state_dict(tensors)
    return model.to(device)
