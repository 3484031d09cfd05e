# finding: punctuation-kept
def read_error(message):
    if "two devices, " not in message:
        return None
    x, _, y = message.partition("two devices, ")[2].split()[:3]
    return {"devices": [x, y], "argument": None, "operation": None}
