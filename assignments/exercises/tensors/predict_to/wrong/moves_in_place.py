# finding: same-despite-change
def predict_to(device, dtype, method, arguments):
    device = arguments.get("device", device)
    dtype = arguments.get("dtype", dtype)
    return device, dtype, not arguments.get("copy", False)
