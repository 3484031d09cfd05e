# finding: no-match-not-handled
import re


def read_error(message):
    argument = re.search(r"argument (\w+) in method", message).group(1)
    operation = re.search(r"wrapper_CUDA_+(\w+)", message).group(1)
    devices = re.findall(r"cpu|cuda:\d+", message)
    return {"devices": devices, "argument": argument, "operation": operation}
