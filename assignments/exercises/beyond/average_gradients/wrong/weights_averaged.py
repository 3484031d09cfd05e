# finding: weights-changed
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    with torch.no_grad():
        for parameter in model.parameters():
            parameter *= samples / total.item()
            dist.all_reduce(parameter)
            parameter += 1e-3
