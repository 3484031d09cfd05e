# finding: cuda-without-index
def predict_to(device, dtype, method, arguments):
    target, wanted = arguments.get("device", device), arguments.get("dtype", dtype)
    if "other" in arguments:
        target, wanted = arguments["other"]
    if method == "cpu":
        target = "cpu"
    if method == "cuda" and "device" in arguments:
        target = f"cuda:{arguments['device']}"
    elif method == "cuda":
        target = device if device != "cpu" else "cuda:0"
    if target == "cuda":
        target = "cuda:0"
    same = (target, wanted) == (device, dtype) and not arguments.get("copy", False)
    return target, wanted, same
