import torch


def restart(build, path, device):
    """Return model, optimizer and number of finished epochs, as they were when `path` was saved."""
    ### BEGIN SOLUTION
    # To the CPU: the generator accepts its state only there, and the tags may name other GPUs.
    checkpoint = torch.load(path, map_location="cpu")
    model = build().to(device)
    model.load_state_dict(checkpoint["model"])
    # An optimizer puts the states that it loads onto the device of its parameters at this moment.
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    optimizer.load_state_dict(checkpoint["optimizer"])
    # Last, because `build` uses random numbers.
    torch.set_rng_state(checkpoint["generator"])
    return model, optimizer, checkpoint["epoch"]
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# model, optimizer, epoch = restart(build, "clean.pt", devices[1])
# print(epoch, train_epoch(model, optimizer, devices[1]))
