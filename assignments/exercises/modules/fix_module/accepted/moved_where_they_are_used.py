import torch
from torch import nn


class Centre(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.register_buffer("mean", torch.zeros(width))

    def forward(self, batch, lengths):
        mask = torch.arange(batch.shape[1], device=batch.device) < lengths[:, None]
        average = (batch * mask[:, :, None]).sum(1) / lengths[:, None]
        self.mean = 0.5 * self.mean + 0.5 * average.mean(0)
        return average - self.mean.to(average.device)


def fix_module(batches, width, device):
    model = Centre(width).to(device)
    return [model(*(tensor.to(device) for tensor in pair)) for pair in batches], model
