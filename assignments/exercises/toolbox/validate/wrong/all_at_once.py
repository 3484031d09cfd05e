# finding: other-calls
import torch


def validate(model, batches):
    with torch.no_grad():
        outputs = model(torch.cat(batches)).split([len(batch) for batch in batches])
    return torch.stack([output.square().mean() for output in outputs]).mean().item()
