# finding: layer-unknown
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = mean
        self.layers = [nn.Linear(3, 3)]
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        layer = self.layers[0].to(batch.device)
        return self.head(layer(batch - self.mean.to(batch.device)))


def classifier(mean):
    return Classifier(mean)
