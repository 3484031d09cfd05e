# finding: left-switched
import torch


def validate(model, batches):
    torch.set_grad_enabled(False)
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()
