from torch import nn


def in_parts(model, images, targets, parts):
    """Add the gradient of the mean loss of all images, computed in parts."""
    ### BEGIN SOLUTION
    for some, wanted in zip(images.chunk(parts), targets.chunk(parts)):
        # A mean of all images counts every image once, so a smaller part weighs less.
        loss = nn.functional.cross_entropy(model(some), wanted, reduction="sum")
        (loss / len(images)).backward()
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# import torch
# model = nn.Linear(3, 2)
# in_parts(model, torch.ones(10, 3), torch.zeros(10, dtype=torch.long), 4)
# print(model.bias.grad)  # for each number of parts the same
