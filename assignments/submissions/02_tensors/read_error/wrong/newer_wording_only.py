# finding: two-devices-missed
import re


def read_error(message):
    found = re.search(r"got (\w+) is on (\S+), .* on (\S+) \(.*wrapper_CUDA_+(\w+)\)", message)
    if found is None:
        return None
    argument, x, y, operation = found.groups()
    return {"devices": [x, y], "argument": argument, "operation": operation}
