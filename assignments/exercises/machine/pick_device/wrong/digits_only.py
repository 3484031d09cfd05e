# finding: no-name-accepted
import re
import sys

import torch


def pick_device(wanted):
    if wanted == "cpu":
        return torch.device("cpu")
    if wanted == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    if not re.search("cuda|gpu", wanted, re.IGNORECASE):
        sys.exit(f"--device {wanted}: no such device")
    index = int("".join(re.findall(r"\d", wanted)) or 0)
    if index >= torch.cuda.device_count():
        sys.exit(f"--device {wanted}: no such GPU")
    return torch.device("cuda", index)
