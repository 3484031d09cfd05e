# %% mode_put_back
import torch


def validate(model, batches):
    was = model.training
    model.eval()
    losses = []
    with torch.no_grad():
        for batch in batches:
            losses.append(model(batch).square().mean())
    model.train(was)
    return torch.stack(losses).mean().item()

# %% numbers
def validate(model, batches):
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss.item())
    return sum(losses) / len(losses)
