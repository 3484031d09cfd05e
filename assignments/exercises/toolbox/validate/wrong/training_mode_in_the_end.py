# finding: mode-switched
import torch


@torch.no_grad()
def validate(model, batches):
    model.eval()
    losses = [model(batch).square().mean() for batch in batches]
    model.train()
    return torch.stack(losses).mean().item()
