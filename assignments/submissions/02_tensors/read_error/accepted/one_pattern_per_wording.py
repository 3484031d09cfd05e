import re


def read_error(message):
    found = re.search(
        r"got (?P<argument>\w+) is on (?P<x>[\w:]+), different from other tensors on (?P<y>[\w:]+)",
        message,
    ) or re.search(r"at least two devices, (?P<x>[\w:]+) and (?P<y>[\w:]+)!", message)
    if found is None:
        return None
    parts = found.groupdict()
    argument = parts.get("argument")
    older = re.search(r"for argument (\w+) in", message)
    if older:
        argument = older[1]
    method = re.search(r"method wrapper_(?:CUDA)?_*(\w+)\)", message)
    return {
        "devices": [parts["x"], parts["y"]],
        "argument": argument,
        "operation": method[1] if method else None,
    }
