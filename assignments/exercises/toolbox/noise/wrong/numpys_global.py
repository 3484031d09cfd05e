# finding: other-libraries-changed
import numpy as np
import torch


def noise(seed, count, devices):
    np.random.seed(seed)
    rows = np.random.standard_normal((len(devices), count)).astype(np.float32)
    return [torch.from_numpy(row).to(device) for row, device in zip(rows, devices)]
