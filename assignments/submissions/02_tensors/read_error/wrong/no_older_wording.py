# finding: older-wording-missed
import re


def read_error(message):
    if "same device, but" not in message:
        return None
    parts = {"devices": re.findall(r"cpu|cuda:\d+", message), "argument": None, "operation": None}
    found = re.search(r"got (\w+) is on", message)
    if found:
        parts["argument"] = found.group(1)
        parts["operation"] = re.search(r"wrapper_CUDA_+(\w+)", message).group(1)
    return parts
