# finding: input-changed
def predict_to(device, dtype, method, arguments):
    target, wanted = arguments.pop("device", device), arguments.pop("dtype", dtype)
    if "other" in arguments:
        target, wanted = arguments.pop("other")
    same = (target, wanted) == (device, dtype) and not arguments.pop("copy", False)
    return target, wanted, same
