# finding: wrapper-kept
import re


def read_error(message):
    if "same device, but" not in message:
        return None
    argument = re.search(r"got (\w+) is on|for argument (\w+)", message)
    method = re.search(r"in method wrapper_CUDA_(\w+)", message)
    return {
        "devices": re.findall(r"cpu|cuda:\d+", message),
        "argument": (argument[1] or argument[2]) if argument else None,
        "operation": method[1] if method else None,
    }
