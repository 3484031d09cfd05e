# finding: none-used
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.mean = self.register_buffer("mean", mean)
        self.layers = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.layers[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)
