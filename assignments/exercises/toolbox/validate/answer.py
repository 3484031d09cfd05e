import torch


def validate(model, batches):
    """Return the mean loss of `model` over `batches`, without keeping any graph."""
    ### BEGIN SOLUTION
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        # Without its graph, a loss is one number. The graph also keeps all tensors that backward needs.
        losses.append(loss.detach())
    return torch.stack(losses).mean().item()
    ### END SOLUTION


# %% try
# Try it out here: remove the # signs and run.
# model = torch.nn.Linear(3, 1).to(devices[1])
# validate(model, [torch.ones(2, 3, device=devices[1])])   # a number
