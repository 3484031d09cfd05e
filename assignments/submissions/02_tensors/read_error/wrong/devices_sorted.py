# finding: devices-out-of-order
import re


def read_error(message):
    if "same device, but" not in message:
        return None
    devices = sorted(re.findall(r"cpu|cuda:\d+", message))
    argument = re.search(r"got (\w+) is on|for argument (\w+)", message)
    operation = re.search(r"wrapper_(?:CUDA_)?_*(\w+)", message)
    return {
        "devices": devices,
        "argument": (argument[1] or argument[2]) if argument else None,
        "operation": operation[1] if operation else None,
    }
