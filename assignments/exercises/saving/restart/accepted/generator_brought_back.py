import torch


def restart(build, path, device):
    checkpoint = torch.load(path, map_location=device)
    model = build()
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    model.to(device)  # in place, so that these are still the parameters of the optimizer
    optimizer.load_state_dict(checkpoint["optimizer"])
    model.load_state_dict(checkpoint["model"])
    torch.set_rng_state(checkpoint["generator"].cpu())
    return [model, optimizer, checkpoint["epoch"]]
