# finding: move-changed-dtype
def predict_to(device, dtype, method, arguments):
    target = arguments.get("device", device)
    wanted = arguments.get("dtype", "float32")
    return target, wanted, (target, wanted) == (device, dtype)
