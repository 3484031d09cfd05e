# finding: other-half-read
def predict_to(device, dtype, method, arguments):
    target, wanted = arguments.get("device", device), arguments.get("dtype", dtype)
    if "other" in arguments:
        target = arguments["other"][0]
    same = (target, wanted) == (device, dtype) and not arguments.get("copy", False)
    return target, wanted, same
