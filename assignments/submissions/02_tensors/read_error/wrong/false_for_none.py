# finding: wrong-form
import re


def read_error(message):
    return {"devices": re.findall(r"cpu|cuda:\d+", message), "argument": None, "operation": False}
