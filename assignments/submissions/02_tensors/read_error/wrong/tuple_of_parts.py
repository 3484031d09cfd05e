# finding: wrong-form
import re


def read_error(message):
    if "same device, but" not in message:
        return None
    return re.findall(r"cpu|cuda:\d+", message), None, None
