def read_visible_error(message):
    text = message.lower()
    if "device ordinal" in text or "device id" in text:
        return "number"
    if "cuda gpus are available" in text:
        return "hidden"
    if "unknown error" in text and "after program start" in text:
        return "late"
    if "found no nvidia driver" in text:
        return "driver"
    if "torch not compiled" in text:
        return "build"
