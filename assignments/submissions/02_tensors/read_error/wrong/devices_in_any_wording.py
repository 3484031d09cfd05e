# finding: newer-wording-missed
import re


def read_error(message):
    if not message.startswith("Expected all tensors"):
        return None
    devices = re.findall(r"cpu|cuda:\d+", message)
    return {"devices": devices, "argument": None, "operation": None}
