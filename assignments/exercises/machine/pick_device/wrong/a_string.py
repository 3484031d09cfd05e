# finding: no-device-object
import sys

import torch


def pick_device(wanted):
    if wanted == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    kind, _, index = wanted.partition(":")
    if kind == "cuda" and int(index or 0) >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return wanted
