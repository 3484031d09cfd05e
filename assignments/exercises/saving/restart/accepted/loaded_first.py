import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location="cpu")
    model = build()
    model.load_state_dict(checkpoint["model"])
    model.to(device)
    optimizer = torch.optim.AdamW(model.parameters())
    optimizer.load_state_dict(checkpoint["optimizer"])
    torch.random.set_rng_state(checkpoint["generator"])
    return model, optimizer, checkpoint["epoch"]
