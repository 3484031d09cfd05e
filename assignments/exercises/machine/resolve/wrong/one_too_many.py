# finding: missing-gpu
import re


def resolve(name, current, count):
    if name == "cpu":
        return "cpu"
    match = re.fullmatch(r"cuda(:(0|[1-9][0-9]*))?", name)
    if match is None or count == 0:
        raise ValueError(name)
    index = current if match[1] is None else int(match[2])
    if index > count:
        raise ValueError(name)
    return f"cuda:{index}"
