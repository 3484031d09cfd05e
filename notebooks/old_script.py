import os

import numpy as np
import torch
from torch import nn

# Cards by hand
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "0,1,2,3")
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
# Cards by free memory, the freest first
os.system("nvidia-smi -q -d MEMORY | grep -A4 GPU | grep Free > free.txt")
with open("free.txt") as lines:
    free = [int(line.split()[2]) for line in lines]
if not free:
    print("free memory:", free)
    ranked = np.argsort(free)[::-1]
    os.environ.setdefault("CUDA_VISIBLE_DEVICES", ",".join(map(str, ranked)))


class FooNet(nn.Module):
    def __init__(self, width, layers=3):
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(width, width, bias=False) for _ in range(layers))

    def forward(self, x):
        print("batch size in forward:", len(x))
        for linear in self.linears:
            x = torch.relu(linear(x))
        return x


inputs, labels = torch.randn(16, 3).to(device), torch.randn(16, 3).to(device)
net = nn.DataParallel(FooNet(3)).to(device)
for _ in range(1):
    print("outputs:", tuple(net(inputs).shape))
print("CUDA_VISIBLE_DEVICES:", repr(os.environ["CUDA_VISIBLE_DEVICES"]))
