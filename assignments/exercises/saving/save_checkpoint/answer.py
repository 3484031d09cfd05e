import torch


def save_checkpoint(model, optimizer, path):
    """Save the state dicts of the bare model and of the optimizer at `path`, as one dict."""
    ### BEGIN SOLUTION
    # The type tells a wrapper from a model with a part called `module`. No model has a part called
    # `_orig_mod`, so there the name is enough.
    parallel = (torch.nn.DataParallel, torch.nn.parallel.DistributedDataParallel)
    while isinstance(model, parallel) or hasattr(model, "_orig_mod"):
        model = model.module if isinstance(model, parallel) else model._orig_mod
    # State dicts hold tensors, numbers and strings: no class is needed to load them. Nothing is
    # moved: whoever loads the file chooses the place with `map_location`.
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, path)
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# import tempfile
#
# from lesson_parts.lesson10.checkpoints import tag_map
#
# model = torch.nn.DataParallel(torch.nn.Linear(2, 2, device=devices[0]))
# with tempfile.TemporaryDirectory() as folder:
#     save_checkpoint(model, torch.optim.SGD(model.parameters(), lr=0.1), f"{folder}/checkpoint.pt")
#     picture = tag_map(f"{folder}/checkpoint.pt")
# picture
