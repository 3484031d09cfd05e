# finding: refused-needlessly
import re


def resolve(name, current, count):
    match = re.fullmatch(r"(cpu|cuda)(:(0|[1-9][0-9]*))?", name)
    if match is None or count == 0:
        raise ValueError(name)
    if match[1] == "cpu":
        return "cpu"
    index = current if match[3] is None else int(match[3])
    if index >= count:
        raise ValueError(name)
    return f"cuda:{index}"
