# finding: other-layers
from torch import nn


class Classifier(nn.Module):
    def __init__(self, mean):
        super().__init__()
        self.register_buffer("mean", mean)
        self.blocks = nn.ModuleList([nn.Linear(3, 3)])
        self.head = nn.Linear(3, 2)

    def forward(self, batch):
        return self.head(self.blocks[0](batch - self.mean))


def classifier(mean):
    return Classifier(mean)
