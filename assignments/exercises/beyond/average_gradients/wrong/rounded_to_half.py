# finding: other-gradients
import torch


def average_gradients(model, samples, dist):
    total = torch.tensor(float(samples))
    dist.all_reduce(total)
    for parameter in model.parameters():
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            sent = (parameter.grad * samples / total.item()).half()
            dist.all_reduce(sent)
            parameter.grad = sent.float()
