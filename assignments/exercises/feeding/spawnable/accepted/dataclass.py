from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch


@dataclass
class Records:
    path: str
    width: int
    scale: float

    def __len__(self):
        return Path(self.path).stat().st_size // self.width

    def __getitem__(self, index):
        record = np.fromfile(self.path, np.uint8, self.width, offset=index * self.width)
        return torch.as_tensor(record * self.scale, dtype=torch.float32)


spawnable = Records
