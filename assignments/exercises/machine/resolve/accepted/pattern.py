import re


def resolve(name, current, count):
    if name == "cpu":
        return "cpu"
    match = re.fullmatch(r"cuda(:(0|[1-9][0-9]*))?", name)
    if match is None:
        raise ValueError(f"not a device: {name}")
    index = current if match[1] is None else int(match[2])
    if index >= count:
        raise ValueError(f"no such GPU: {name}")
    return f"cuda:{index}"
