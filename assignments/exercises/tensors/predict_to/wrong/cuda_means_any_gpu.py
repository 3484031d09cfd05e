# finding: cuda-without-index
def predict_to(device, dtype, method, arguments):
    target, wanted = arguments.get("device", device), arguments.get("dtype", dtype)
    if "other" in arguments:
        target, wanted = arguments["other"]
    if target == "cuda":
        target = device if device.startswith("cuda") else "cuda:0"
    same = (target, wanted) == (device, dtype) and not arguments.get("copy", False)
    return target, wanted, same
