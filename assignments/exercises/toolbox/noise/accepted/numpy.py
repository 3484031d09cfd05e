import numpy as np
import torch


def noise(seed, count, devices):
    rng = np.random.default_rng(seed)
    return [torch.tensor(rng.standard_normal(count), dtype=torch.float32, device=device)
            for device in devices]
