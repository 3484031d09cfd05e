# finding: more-than-losses
import torch


def validate(model, batches):
    outputs = [model(batch).detach() for batch in batches]
    return torch.stack([output.square().mean() for output in outputs]).mean().item()
