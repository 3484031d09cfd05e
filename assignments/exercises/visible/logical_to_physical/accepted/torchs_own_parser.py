import os
from itertools import takewhile

import torch


def logical_to_physical(value, n_physical):
    before = os.environ.get("CUDA_VISIBLE_DEVICES")
    try:
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        if value is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = value
        numbers = torch.cuda._parse_visible_devices()
    finally:
        os.environ.pop("CUDA_VISIBLE_DEVICES", None)
        if before is not None:
            os.environ["CUDA_VISIBLE_DEVICES"] = before
    return list(takewhile(lambda number: number < n_physical, numbers))
