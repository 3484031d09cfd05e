# finding: same-despite-change
def predict_to(device, dtype, method, arguments):
    target = arguments.get("device", device)
    return target, arguments.get("dtype", dtype), target == device
