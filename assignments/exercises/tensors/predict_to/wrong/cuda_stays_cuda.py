# finding: cuda-without-index
def predict_to(device, dtype, method, arguments):
    target, wanted = arguments.get("device", device), arguments.get("dtype", dtype)
    if "other" in arguments:
        target, wanted = arguments["other"]
    if method == "cpu":
        target = "cpu"
    if method == "cuda":
        target = f"cuda:{arguments['device']}" if "device" in arguments else "cuda"
    same = (target, wanted) == (device, dtype) and not arguments.get("copy", False)
    return target, wanted, same
