# finding: not-loaded
import torch


def weights(trained, path, model, device):
    torch.save(trained.state_dict(), path)
    state_dict = torch.load(path, map_location="cpu")
    model.load_state_dict(state_dict, strict=False)
    return model.to(device)
