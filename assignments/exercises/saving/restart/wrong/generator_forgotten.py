# finding: generator-other
import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    return model, optimizer, checkpoint["epoch"]
