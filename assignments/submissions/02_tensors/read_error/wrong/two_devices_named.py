# finding: other-error-read
import re


def read_error(message):
    devices = re.findall(r"cpu|cuda:\d+", message)
    if len(devices) != 2:
        return None
    argument = re.search(r"got (\w+) is on|for argument (\w+)", message)
    operation = re.search(r"wrapper_(?:CUDA_)?_*(\w+)", message)
    return {
        "devices": devices,
        "argument": (argument[1] or argument[2]) if argument else None,
        "operation": operation[1] if operation else None,
    }
