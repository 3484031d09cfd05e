# finding: keeps-growing
import torch


def validate(model, batches):
    model.eval()
    losses = []
    for batch in batches:
        loss = model(batch).square().mean()
        losses.append(loss)
    return torch.stack(losses).mean().item()
