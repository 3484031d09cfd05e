# finding: copy-false
def predict_to(device, dtype, method, arguments):
    target, wanted = arguments.get("device", device), arguments.get("dtype", dtype)
    if "other" in arguments:
        target, wanted = arguments["other"]
    same = (target, wanted) == (device, dtype) and "copy" not in arguments
    return target, wanted, same
