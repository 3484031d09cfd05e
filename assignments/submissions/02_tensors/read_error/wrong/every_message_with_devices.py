# finding: other-error-read
import re


def read_error(message):
    argument = re.search(r"got (\w+) is on|for argument (\w+)", message)
    operation = re.search(r"wrapper_(?:CUDA_)?_*(\w+)", message)
    return {
        "devices": re.findall(r"cpu|cuda:\d+", message),
        "argument": (argument[1] or argument[2]) if argument else None,
        "operation": operation[1] if operation else None,
    }
