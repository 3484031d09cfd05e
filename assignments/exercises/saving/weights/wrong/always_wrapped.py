# finding: not-wrapped
import torch


def weights(trained, path, model, device):
    torch.save(trained.module.state_dict(), path)
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.to(device)
