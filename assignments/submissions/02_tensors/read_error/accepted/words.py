def read_error(message):
    if "Expected all tensors to be on the same device" not in message:
        return None
    words = [word.strip(",!()") for word in message.split()]
    devices = [word for word in words if word == "cpu" or word.startswith("cuda:")]
    argument = operation = None
    if "got" in words:
        argument = words[words.index("got") + 1]
    elif "checking" in words:
        argument = words[words.index("in") - 1]
    if words[-2] == "method":
        operation = words[-1].removeprefix("wrapper").removeprefix("_CUDA").lstrip("_")
    return {"operation": operation, "argument": argument, "devices": devices}
