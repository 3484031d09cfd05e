# finding: keys-do-not-fit
import torch


def weights(trained, path, model, device):
    torch.save(getattr(trained, "module", trained).state_dict(), path)
    model.load_state_dict(torch.load(path, map_location="cpu"))
    return model.to(device)
