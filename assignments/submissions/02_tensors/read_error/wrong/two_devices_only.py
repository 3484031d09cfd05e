# finding: newer-wording-missed
import re


def read_error(message):
    found = re.search(r"two devices, (\S+) and (\S+)!", message)
    if found is None:
        return None
    return {"devices": list(found.groups()), "argument": None, "operation": None}
