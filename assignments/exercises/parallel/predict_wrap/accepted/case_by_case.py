import numpy as np
import torch


def predict_wrap(wraps, gpus, batch, calls):
    keys = ["scale", "seen"]
    for _ in range(wraps):
        keys = ["module." + key for key in keys]
    if wraps == 0 or gpus < 2:
        return {"shape": (), "seen": 1, "calls": calls + 1, "keys": tuple(keys)}
    per_gpu = np.ceil(batch / gpus)
    replicas = int(np.ceil(batch / per_gpu))
    return {"shape": torch.Size([replicas]), "seen": np.int64(1), "calls": calls, "keys": keys}
